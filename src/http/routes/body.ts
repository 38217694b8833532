import { tooLarge } from "../guard/guard.js";
import { ProblemError, type Problem } from "../guard/problem.js";

const maxDepth = 200;

/**
 * Reads a JSON body of at most `limit` bytes, counted while reading, and for at most `ms`, if that is given; throws a
 * ProblemError otherwise.
 */
export async function readJson(request: Request, limit: number, ms?: number): Promise<unknown> {
  const text = await readText(request, limit, ms);
  if (text === "") return undefined;
  if (!depthWithin(text, maxDepth)) throw invalid(`It is nested deeper than ${maxDepth} levels.`);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalid("It does not parse as JSON.");
  }
}

/** Mutations must say `application/json`: a web form cannot, so a browser asks first (and is refused). */
export function assertJsonType(contentType: string | undefined): void {
  const type = contentType?.split(";")[0]?.trim().toLowerCase();
  if (type === "application/json") return;
  throw new ProblemError({
    status: 415,
    slug: "json-required",
    title: "Content-Type must be application/json",
  });
}

async function readText(request: Request, limit: number, ms: number | undefined): Promise<string> {
  const reader = (request.body as ReadableStream<Uint8Array> | null)?.getReader();
  if (reader === undefined) return "";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let late = false;
  // A read that is cancelled ends as if the body were over.
  const timer = ms === undefined ? undefined : setTimeout(() => void ((late = true), reader.cancel()), ms);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (late) throw new ProblemError(tooSlow);
      if (done) break;
      bytes += value.byteLength;
      if (bytes > limit) {
        await reader.cancel();
        throw new ProblemError(tooLarge(limit));
      }
      chunks.push(value);
    }
  } finally {
    clearTimeout(timer);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw invalid("It is not UTF-8.");
  }
}

/** Counts brackets outside strings, so that a bomb of brackets never reaches a recursive reader. */
export function depthWithin(text: string, limit: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === 0x5c) at++;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > limit) return false;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return true;
}

const tooSlow: Problem = { status: 408, slug: "body-too-slow", title: "The body did not come in time" };

function invalid(detail: string): ProblemError {
  return new ProblemError({
    status: 400,
    slug: "invalid-json",
    title: "The body is not usable JSON",
    detail,
  });
}
