import type { Cause, Failure } from "../../errors.js";
import { lastWords } from "../../policy/failures.js";
import { maskDeep } from "../../policy/secrets.js";
import type { ServerRecord } from "./serverRecord.js";

/** Oddities of the server that may explain why no answer could be matched. */
const telling = ["unknown-id", "error-without-id", "odd-message", "too-large", "too-deep"];

/** The failure of calls to a server that cannot be had. */
export function unavailable(record: ServerRecord, cause: Cause): Failure {
  const code = cause.exitCode ?? cause.httpStatus;
  return {
    kind: "unavailable",
    message: `server "${record.spec.name}" is ${record.state}: ${cause.message}${lastWords(cause)}`,
    ...(code === undefined ? {} : { code }),
    ...(cause.retryAfterMs === undefined ? {} : { retryAfterMs: cause.retryAfterMs }),
  };
}

/** The failure of calls to a server that is switched off, or is being so. */
export function disabled({ spec }: ServerRecord): Failure {
  return { kind: "unavailable", message: `server "${spec.name}" is disabled; enable it to call its tools` };
}

/** The words of a failure may hold parts of what a server said. */
export function maskedFailure(failure: Failure, record: ServerRecord): Failure {
  const { message, data } = failure;
  const masked = { ...failure, message: record.mask(message) };
  return data === undefined ? masked : { ...masked, data: maskDeep(data, record.mask) };
}

/** What a server did meanwhile that may be why nothing was understood as its answer; empty when nothing is known. */
export function hintOf(record: ServerRecord, also: readonly string[] = []): string {
  const notes = [...also, ...telling].flatMap((kind) => record.warnings.get(kind) ?? []);
  return notes.length === 0 ? "" : `; note: ${notes.join("; ")}`;
}
