import type { Cause, CauseKind, Sent } from "../../errors.js";
import type { Loss } from "../transport.js";
import { excerpt } from "./excerpt.js";
import type { Progress } from "./exchange.js";

/** What a network failure means for its request. `sent` is `no` only when no byte of it was written. */
export function judgeFailure(error: unknown, progress: Progress, server: string, way = ""): Loss {
  const refused = proxyRefusal(error);
  const code = codeOf(error);
  const kind = refused === undefined ? kindOf(code, progress) : "refused";
  const what = refused ?? (kind === "tls" ? tlsSentence(code) : sentence(kind));
  const cause: Cause = {
    kind,
    message: `server "${server}" ${what}${way}${code === "" || refused !== undefined ? "" : ` (${code})`}`,
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

/** What is wrong with a certificate, and the way out. */
function tlsSentence(code: string): string {
  if (code === "CERT_HAS_EXPIRED") return "was not trusted: its certificate has expired";
  if (code === "CERT_NOT_YET_VALID")
    return "was not trusted: its certificate is not valid yet; check the clock";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return "was not trusted: its certificate is for another host name than the one in its url";
  if (/SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|CERT_UNTRUSTED/.test(code))
    return (
      "was not trusted: no authority that is known here has signed its certificate; name the file of the authority " +
      "in tls.ca of the entry, or in the variable NODE_EXTRA_CA_CERTS"
    );
  return "was not trusted: the TLS connection failed; check its certificate";
}

/** A proxy that answers CONNECT with anything but 200. */
function proxyRefusal(error: unknown): string | undefined {
  const text = error instanceof Error ? error.message : "";
  const status = /Proxy response \((\d+)\)/.exec(text)?.[1];
  if (status === undefined) return undefined;
  const why = status === "407" ? "it wants another user name or password" : `it answered HTTP ${status}`;
  return `cannot be reached: the proxy refused, ${why};`;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  // The parser of undici leaves its code empty for what is no HTTP at all.
  if (error.name === "HTTPParserError") return "HPE_INVALID";
  if ("code" in error && typeof error.code === "string") return error.code;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  return inner === undefined ? "" : codeOf(inner);
}
