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
        const flags = verdict.scopes.map((scope) => `--scope ${scope}`).join(" ");
        return {
          kind: "insufficient-scope",
          httpStatus,
          message: `${at} ${verdict.message}; log in again: mcpvisor login ${id} ${flags}, or server("${id}").login({ scopes: ${scopes} }) in a host`,
        };
      }
      const message = `${at} needs a login (${verdict.reason}): ${verdict.message}; log in: mcpvisor login ${id}, or server("${id}").login() in a host`;
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
