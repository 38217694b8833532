import { checkedUrl } from "./address.js";
import type { Answer } from "./ask.js";
import { AuthError, quoted } from "./problem.js";

export type JsonObject = Readonly<Record<string, unknown>>;

const deepest = 20;

/** The JSON object of an answer; AuthError `bad-answer` for pages, lists, broken and deep texts. */
export function objectOf({ text, url, headers }: Answer, what: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const type = String(headers["content-type"] ?? "no content type").slice(0, 60);
    throw new AuthError("bad-answer", `${what}: ${new URL(url).origin} sent no JSON (${quoted(type)})`);
  }
  if (!isObject(value)) throw new AuthError("bad-answer", `${what}: not a JSON object`);
  if (isDeeper(value, deepest)) throw new AuthError("bad-answer", `${what}: nested deeper than ${deepest}`);
  return value;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text of 1 to 2,048 characters, or undefined; AuthError when it is something else. */
export function textAt(object: JsonObject, field: string, what: string): string | undefined {
  const value = object[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string" && value !== "" && value.length <= 2048) return value;
  throw new AuthError("bad-answer", `${what}: ${field} is not a text: ${quoted(value)}`);
}

export function requiredText(object: JsonObject, field: string, what: string): string {
  const value = textAt(object, field, what);
  if (value === undefined) throw new AuthError("bad-answer", `${what}: ${field} is missing`);
  return value;
}

/** An address that may be asked, kept as it is written. */
export function urlAt(object: JsonObject, field: string, what: string): string | undefined {
  const value = textAt(object, field, what);
  if (value !== undefined) checkedUrl(value, `${what}: ${field}`);
  return value;
}

/** A list of texts; anything else in it is left out, no list is undefined. */
export function textsAt(object: JsonObject, field: string): string[] | undefined {
  const value = object[field];
  if (!Array.isArray(value)) return undefined;
  return value
    .filter((each): each is string => typeof each === "string" && each.length <= 2048)
    .slice(0, 500);
}

function isDeeper(value: unknown, left: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return left === 0 || Object.values(value).some((each) => isDeeper(each, left - 1));
}
