import type { Failure } from "../errors.js";
import type { ContentBlock } from "../protocol/mcp.js";
import { contentOf } from "./content.js";
import { cut } from "./cut.js";
import { isReadable, lineOf } from "./lines.js";

/** A `tools/call` result made ready for its caller; the call's own facts are added by whoever made the call. */
export interface Rendered {
  readonly ok: boolean;
  readonly text: string;
  readonly content: readonly ContentBlock[];
  readonly structured?: unknown;
  readonly warnings: readonly string[];
  readonly failure?: Failure;
}

interface Asked {
  /** Server id and raw tool name, for messages. */
  readonly server: string;
  readonly tool: string;
  /** The longest text, in UTF-16 code units; Infinity keeps all of it. */
  readonly resultChars: number;
}

const none: readonly string[] = [];

/**
 * Reads the result of `tools/call` (MCP 2024-11-05 to 2025-11-25). Odd shapes are repaired with a warning or become
 * `invalid-result`; `isError` becomes `tool-error` with the server's own text. `content` holds all blocks as sent.
 * The usual result, one text block, is passed through without copies.
 */
export function renderResult(raw: unknown, asked: Asked): Rendered {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return invalid("is no object", asked);
  const result = raw as Readonly<Record<string, unknown>>;
  const found = contentOf(result);
  if (typeof found === "string") return invalid(found, asked);
  const { content, structured } = found;
  const whole = textOf(content, structured);
  const text = cut(whole, asked.resultChars);
  const warnings = text === whole ? found.warnings : [...found.warnings, cutNotice(whole, asked)];
  const sound = !isError(result["isError"]);
  // The usual result, without the copies that spreading makes.
  if (sound && structured === undefined) return { ok: true, text, content, warnings };
  const base =
    structured === undefined ? { text, content, warnings } : { text, content, structured, warnings };
  if (sound) return { ok: true, ...base };
  return { ok: false, ...base, failure: toolError(whole, asked) };
}

/** A failed result without content, for failures that have none from the server. */
function failed(failure: Failure, warnings: readonly string[] = none): Rendered {
  return { ok: false, text: failure.message, content: [], warnings, failure };
}

function textOf(content: readonly ContentBlock[], structured: unknown): string {
  const only = content[0];
  // The usual case: one text block.
  if (
    content.length === 1 &&
    only?.type === "text" &&
    typeof only["text"] === "string" &&
    only["text"] !== ""
  ) {
    return only["text"];
  }
  const lines = content.map(lineOf);
  const readable = content.some((block, at) => isReadable(block) && lines[at] !== "");
  if (!readable && structured !== undefined) lines.push(JSON.stringify(structured));
  return lines.filter((line) => line !== "").join("\n");
}

// Servers exist that send "true" or 1; to take a failure for a success is the worse mistake.
function isError(flag: unknown): boolean {
  return flag !== undefined && flag !== null && flag !== false && flag !== "false" && flag !== 0;
}

function toolError(text: string, { server, tool }: Asked): Failure {
  const said = text === "" ? "it gave no reason" : cut(text, 500);
  return { kind: "tool-error", message: `tool "${tool}" of server "${server}" reported an error: ${said}` };
}

function invalid(what: string, { server, tool }: Asked): Rendered {
  return failed({
    kind: "invalid-result",
    message:
      `server "${server}" answered the call of tool "${tool}" with a result that ${what}; ` +
      "the call ran, its result cannot be used. Tell the maker of the server",
  });
}

function cutNotice(whole: string, { resultChars }: Asked): string {
  return `text was cut from ${whole.length} to at most ${resultChars} characters; content holds all of it`;
}
