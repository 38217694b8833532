import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { UsageError } from "./exitCodes.js";

/** Arguments of a call as they were written; plain values wait for the tool's schema. */
export interface WrittenArguments {
  readonly json?: unknown;
  readonly pairs: readonly (readonly [name: string, value: unknown, isPlain: boolean])[];
}

const pair = /^([^=:\s{}"'][^=:]*?)(:?=)([\s\S]*)$/;

/**
 * `{"a": 1}`, `-` for JSON on stdin, `@file` for JSON in a file; or `name=text`, `name:=json`, `name=@file` and
 * `name:=@file` in any number.
 */
export async function readArguments(
  words: readonly string[],
  stdin: NodeJS.ReadableStream,
): Promise<WrittenArguments> {
  const [first] = words;
  if (first === undefined || first.trim() === "") return { pairs: [] };
  if (words.length === 1 && first === "-") return { json: parsed(await text(stdin)), pairs: [] };
  if (words.length === 1 && first.startsWith("@")) return { json: parsed(fileText(first)), pairs: [] };
  if (words.length === 1 && !pair.test(first)) return { json: parsed(first), pairs: [] };
  return {
    pairs: words.map((word) => {
      const [, name, sign, value] = pair.exec(word) ?? [];
      if (name === undefined || value === undefined)
        throw new UsageError(`"${word}" is no argument; write name=text, name:=json or name=@file`);
      const given = value.startsWith("@") ? fileText(value) : value;
      return [name, sign === ":=" ? parsed(given) : given, sign === "="] as const;
    }),
  };
}

/** The arguments object; plain values become what the tool's schema wants of them, where it says. */
export function argumentsFor(
  { json, pairs }: WrittenArguments,
  schema: Readonly<Record<string, unknown>> | undefined,
): unknown {
  if (pairs.length === 0) return json ?? {};
  const properties = record(schema?.["properties"]);
  return Object.fromEntries(
    pairs.map(([name, value, isPlain]) => [
      name,
      isPlain ? typed(value, record(properties[name])["type"]) : value,
    ]),
  );
}

function typed(value: unknown, type: unknown): unknown {
  const types = Array.isArray(type) ? (type as unknown[]) : [type];
  if (typeof value !== "string" || types.includes("string") || type === undefined) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    // The check of the arguments says what is wrong with it.
    return value;
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function fileText(word: string): string {
  try {
    return readFileSync(word.slice(1), "utf8");
  } catch {
    throw new UsageError(`the file ${word.slice(1)} cannot be read`);
  }
}

function parsed(json: string): unknown {
  if (json.trim() === "") return {};
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `the arguments are not JSON: ${reason}; write for example path=notes.txt or '{"path": "notes.txt"}', or - to read them from stdin`,
    );
  }
}
