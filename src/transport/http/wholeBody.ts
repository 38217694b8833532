import { notJson } from "../../protocol/brokenAnswer.js";
import type { Loss } from "../transport.js";
import { unbatch } from "./eventStream.js";
import { mediaType } from "./headers.js";
import type { HttpPorts } from "./httpPorts.js";
import { lostAnswer } from "./resumption.js";
import { judgeOddBody } from "./verdict.js";
import type { Asked, Reply } from "./verdict.js";

/** The messages of a 2xx that came as one body, or why there are none. */
export function readBody(
  reply: Reply,
  asked: Asked,
): { readonly messages: readonly unknown[] } | { readonly loss: Loss } {
  const { server } = asked;
  if (reply.text.trim() === "") return { loss: lostAnswer(server, `with HTTP ${reply.status} and no body`) };
  const type = mediaType(reply.headers);
  const value = parse(reply.text, type);
  if (value !== undefined) return { messages: unbatch(value) };
  if (type.includes("json"))
    return { loss: { sent: "yes", cause: notJson(server, reply.text, reply.status) } };
  return { loss: judgeOddBody(reply, asked) };
}

/** A body or a message over the limit. */
export function tooLarge({ server, maxBytes }: HttpPorts, status: number): Loss {
  const message = `server "${server}" sent a message larger than the limit of ${maxBytes} bytes; it was dropped (limits.messageBytes)`;
  return { sent: "yes", cause: { kind: "http-error", message, httpStatus: status } };
}

function parse(text: string, type: string): unknown {
  if (!type.includes("json") && !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // No JSON: undefined stands for it, since JSON has no such value.
    return undefined;
  }
}
