import type { Cause, CauseKind, Sent } from "../../errors.js";
import type { Loss } from "../transport.js";
import { excerpt } from "./excerpt.js";
import type { Progress } from "./exchange.js";

/** What a network failure means for its request. `sent` is `no` only when no byte of it was written. */
export function judgeFailure(error: unknown, progress: Progress, server: string): Loss {
  const code = codeOf(error);
  const kind = kindOf(code, progress);
  const cause: Cause = {
    kind,
    message: `server "${server}" ${sentence(kind)}${code === "" ? "" : ` (${code})`}`,
  };
  if (kind !== "http-error") return { sent: sentFor[progress], cause };
  const detail = error instanceof Error ? excerpt(error.message, 200) : "";
  return { sent: sentFor[progress], cause: { ...cause, message: `${cause.message}: ${detail}` } };
}

const sentFor: Record<Progress, Sent> = { unsent: "no", sent: "unknown", answering: "yes" };

function kindOf(code: string, progress: Progress): CauseKind {
  if (/^(ENOTFOUND|EAI_)/.test(code)) return "dns";
  if (/CERT|SIGNED|^ERR_TLS|^ERR_SSL|^EPROTO$|^UNABLE_TO_/.test(code)) return "tls";
  if (/^(HPE_|Z_|ERR__ERROR_FORMAT|UND_ERR_INVALID_ARG)/.test(code)) return "http-error";
  if (progress === "unsent") {
    if (/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/.test(code)) return "connect-timeout";
    if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/.test(code))
      return "refused";
  }
  return code === "" && progress === "answering" ? "http-error" : "reset";
}

function sentence(kind: CauseKind): string {
  switch (kind) {
    case "dns":
      return "cannot be found: its host name has no address; check the url";
    case "tls":
      return "was not trusted: the TLS connection failed; check its certificate";
    case "connect-timeout":
      return "did not accept a connection in time";
    case "refused":
      return "cannot be reached: the connection was refused; is it running?";
    case "http-error":
      return "broke the rules of HTTP";
    default:
      return "closed the connection before it answered";
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  // The parser of undici leaves its code empty for what is no HTTP at all.
  if (error.name === "HTTPParserError") return "HPE_INVALID";
  if ("code" in error && typeof error.code === "string") return error.code;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  return inner === undefined ? "" : codeOf(inner);
}
