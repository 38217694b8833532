import type { Access } from "../contract/client.js";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { createClient } from "../client/client.js";
import { ServiceError } from "../contract/problem.js";
import { parseBaseUrl } from "../client/url.js";
import type { Account } from "../contract/account.js";
import type { Mask } from "../tokens/mask.js";
import type { Offer, Surroundings } from "./surroundings.js";

/** Runs one tool call; never throws: what fails is a result with `isError` and a sentence. Secrets are masked. */
export async function callTool(
  offer: Offer,
  args: Record<string, unknown>,
  signal: AbortSignal,
  around: Surroundings,
): Promise<CallToolResult> {
  try {
    const access = once(offer.access);
    const client = createClient({
      service: offer.service,
      baseUrl: baseUrlOf(offer, around, await access.current(signal)),
      access,
      clock: around.clock,
      timeoutMs: around.options.timeoutMs,
      maxBytes: around.options.maxBytes,
      signal,
    });
    const output = around.mask.json(await offer.tool.run(args, client));
    return { content: [{ type: "text", text: JSON.stringify(output) }], structuredContent: output };
  } catch (error) {
    return { content: [{ type: "text", text: messageOf(error, around.mask) }], isError: true };
  }
}

/** A call of many requests reads the store (or the keyring) once; a renewed account takes the place of the old one. */
function once(access: Access): Access {
  let known: Account | undefined;
  return {
    current: async (signal) => (known ??= await access.current(signal)),
    renew: async (refused, signal) => {
      const newer = await access.renew(refused, signal);
      known = newer ?? known;
      return newer;
    },
  };
}

/** `--<service>-url`, else the account's own address, else the public one. */
function baseUrlOf(offer: Offer, { options }: Surroundings, account: Account): string {
  const own = options.urls[offer.service.id] ?? account.fields?.["url"] ?? offer.service.baseUrl;
  if (own !== undefined) return parseBaseUrl(own);
  throw new ServiceError(
    "not-connected",
    `the address of ${offer.service.name} is not known. The user has to run: mcpvisor connect ${offer.service.id}`,
  );
}

function messageOf(error: unknown, mask: Mask): string {
  const text =
    error instanceof ServiceError ? `${error.message} [${error.kind}]` : `internal error: ${String(error)}`;
  return mask.text(text);
}
