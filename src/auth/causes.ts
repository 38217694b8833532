import type { Cause } from "../errors.js";
import type { Refusal, Verdict } from "./grants/verdict.js";

/** What a verdict means for the server that refused, with what to do. */
export function causeOf(
  id: string,
  verdict: Exclude<Verdict, { kind: "again" }>,
  { status }: Refusal,
): Cause {
  const at = `server "${id}"`;
  const httpStatus = status === 0 ? 401 : status;
  switch (verdict.kind) {
    case "needed": {
      if (verdict.reason === "scope") {
        const scopes = JSON.stringify(verdict.scopes);
        return {
          kind: "insufficient-scope",
          httpStatus,
          message: `${at} ${verdict.message}; the host has to log in again: server("${id}").login({ scopes: ${scopes} })`,
        };
      }
      const message = `${at} needs a login (${verdict.reason}): ${verdict.message}; the host has to call server("${id}").login()`;
      return { kind: "needs-authorization", httpStatus, message };
    }
    case "refused":
      return { kind: "authorization-refused", httpStatus, message: `${at}: ${verdict.message}` };
    case "locked":
      return { kind: "credentials-locked", httpStatus, message: `${at}: ${verdict.message}` };
    case "later": {
      const { message, retryAfterMs } = verdict;
      const told = `${at}: its authorization server does not help now: ${message}`;
      return { kind: "server-error", message: told, ...(retryAfterMs !== undefined && { retryAfterMs }) };
    }
  }
}
