import type { Ask } from "../contract/client.js";
import type { Complaint, Service } from "../contract/service.js";
import type { RawReply } from "./http.js";
import { type ProblemKind, ServiceError } from "../contract/problem.js";
import { isSafe } from "./retry.js";

interface Refusal {
  readonly service: Service;
  readonly ask: Ask;
  readonly raw: RawReply;
  readonly complaint: Complaint | undefined;
  readonly limited: boolean;
  readonly waitMs: number | undefined;
}

/** The error for an answer that is none: what the service said, and what a model can do about it. */
export function failure({ service, ask, raw, complaint, limited, waitMs }: Refusal): ServiceError {
  const kind = limited ? "rate-limited" : (complaint?.kind ?? kindOf(raw.status));
  const said = [raw.status >= 300 ? String(raw.status) : "", cut(complaint?.text ?? "")]
    .filter(Boolean)
    .join(" ");
  const about = { ...(waitMs !== undefined && { retryAfterMs: waitMs }) };
  return new ServiceError(kind, `${service.name} ${sentence(kind, said, service, ask, waitMs)}`, about);
}

function kindOf(status: number): ProblemKind {
  if (status === 401) return "unauthorized";
  if (status === 403) return "forbidden";
  if (status === 404 || status === 410) return "not-found";
  if (status >= 500) return "service-down";
  if (status >= 400) return "invalid";
  return "unexpected";
}

function sentence(kind: ProblemKind, said: string, service: Service, ask: Ask, waitMs?: number): string {
  switch (kind) {
    case "unauthorized":
      return `refused the token (${said}). Nothing was done. The user has to connect again: mcpvisor connect ${service.id}`;
    case "forbidden":
      return `does not allow this to the connected account (${said}). Nothing was done. It needs more rights, or another account.`;
    case "not-found":
      return `found nothing there, or the account may not see it (${said}): ${ask.method} ${ask.path}. Check names and ids.`;
    case "invalid":
      return `refused the request (${said}): ${ask.method} ${ask.path}. Nothing was done. Correct the arguments.`;
    case "rate-limited":
      return `allows no more requests now (${said}). Nothing was done. Try again ${waitMs === undefined ? "in a minute" : `in ${Math.ceil(waitMs / 1000)} s`}.`;
    case "service-down":
      return `has trouble of its own (${said}). ${outcome(ask)}`;
    default:
      return `answered in an unknown form (${said}). ${outcome(ask)}`;
  }
}

/** Adds to an error of the connection who it was about and whether something may have been done. */
export function withOutcome(service: Service, ask: Ask, error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  if (error.kind === "cancelled") return error;
  const hint = error.kind === "unreachable" ? "Nothing was done. Try again later." : outcome(ask);
  return new ServiceError(error.kind, `${service.name} ${error.message}. ${hint}`, { cause: error });
}

function outcome(ask: Ask): string {
  return isSafe(ask)
    ? "Nothing was changed; try again."
    : "Whether it was carried out is not known: look before trying again.";
}

/** A service's own words, on one line and short. */
function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
