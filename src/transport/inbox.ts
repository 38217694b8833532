import type { RequestId } from "../protocol/jsonrpc.js";
import { createLineReader, type LineReader } from "../protocol/lines.js";
import { visible } from "../protocol/visible.js";
import { brokenAnswer } from "../protocol/brokenAnswer.js";
import { withDepthLimit } from "./depthLimit.js";
import { discard } from "./discard.js";
import { createOversize } from "./oversize.js";
import type { TransportHandlers } from "./transport.js";

export interface InboxOptions {
  /** Server id, for messages. */
  readonly id: string;
  readonly messageBytes: number;
  readonly depth: number;
  /** The server writes a line that will not end; told with each further chunk of it. */
  onEndless(message: string): void;
}

export interface Inbox extends LineReader {
  /** Lines so far that were no JSON. */
  noise(): number;
}

const sampleChars = 120;
const brace = 0x7b;

/**
 * Lines of a server's stdout to messages: batches are taken apart, lines that are no JSON object are counted and
 * told once, a message that does not parse or is over a limit is lost alone, and its call is told at once when its id
 * can be found.
 */
export function createInbox(options: InboxOptions, handlers: TransportHandlers): Inbox {
  let noise = 0;
  let isEnding = false;
  const told = new Set<string>();
  const limited = withDepthLimit(options, handlers);
  const warn = (kind: string, message: string): void => {
    if (told.has(kind)) return;
    told.add(kind);
    handlers.onWarning(kind, `server "${options.id}": ${message}`);
  };

  const onLine = (text: string): void => {
    const value = parse(text);
    if (typeof value !== "object" || value === null) {
      loseBroken(text);
      return onNoise(text);
    }
    // Each level takes two characters, so short texts cannot be deep.
    const mayBeDeep = text.length >= options.depth * 2;
    if (Array.isArray(value)) for (const item of value) onValue(item, mayBeDeep);
    else onValue(value, mayBeDeep);
  };
  /** A line that does not parse and is plainly an answer: its call need not wait for another one. */
  const loseBroken = (text: string): void => {
    // What the end of the process has cut off is lost with the connection.
    const broken = isEnding ? undefined : brokenAnswer(options.id, text);
    if (broken !== undefined) handlers.onLost(broken.id, { sent: "yes", cause: broken.cause });
  };
  const onNoise = (text: string): void => {
    noise++;
    if (told.has("noise")) return;
    warn("noise", `writes lines to stdout that are no MCP messages, such as: ${visible(text, sampleChars)}`);
  };
  const onValue = (value: unknown, mayBeDeep: boolean): void => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return onNoise(kindOf(value));
    if (mayBeDeep) limited.onMessage(value);
    else handlers.onMessage(value);
  };
  const oversize = createOversize({ ...options, warn }, handlers);

  const reader = createLineReader({
    maxBytes: options.messageBytes,
    onLine,
    onOversize: (line) => oversize.onOversize(line),
    onGrowing: (line) => oversize.onGrowing(line),
    onDropped: discard,
  });
  return {
    push: (chunk) => reader.push(chunk),
    end() {
      isEnding = true;
      reader.end();
    },
    noise: () => noise,
  };
}

/** For a sample; never the value itself: text made of a deeply nested list overflows the stack. */
function kindOf(value: unknown): string {
  return Array.isArray(value)
    ? "a list in a list"
    : `a list with ${value === null ? "null" : typeof value} in it`;
}

function parse(text: string): RequestId | object | boolean | null | undefined {
  // Most noise is told apart without the cost of an exception.
  if (text.charCodeAt(0) !== brace && !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // No JSON: the caller counts it as noise.
    return undefined;
  }
}
