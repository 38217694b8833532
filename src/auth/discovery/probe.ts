import type { Ask } from "../door/ask.js";
import { AuthError } from "../door/problem.js";
import { bearerChallenge, type BearerChallenge } from "./challenge.js";

const probeMs = 5000;

/**
 * Asks a server without a token, to hear where its metadata is. Undefined when it says nothing: many list their tools
 * to anybody, and a login can begin from the well-known places.
 */
export async function probeChallenge(
  ask: Ask,
  url: string,
  signal: AbortSignal,
): Promise<BearerChallenge | undefined> {
  try {
    const { status, headers } = await ask({
      method: "POST",
      url,
      what: "the server",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
      timeoutMs: probeMs,
      signal,
    });
    return status === 401 ? bearerChallenge(headers["www-authenticate"]) : undefined;
  } catch (error) {
    if (error instanceof AuthError && error.failure !== "cancelled") return undefined;
    throw error;
  }
}
