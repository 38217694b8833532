import type { RequestId } from "../protocol/jsonrpc.js";
import type { PendingRequest, ProgressNote } from "./pending.js";

/**
 * Reads the params of `notifications/progress`; undefined when they name no request, or their progress is no number
 * (MCP, Progress). A total that is none is left out.
 */
export function readProgress(
  params: unknown,
): { readonly token: RequestId; readonly note: ProgressNote } | undefined {
  if (typeof params !== "object" || params === null || !("progressToken" in params)) return undefined;
  const token = params.progressToken;
  if (typeof token !== "number" && typeof token !== "string") return undefined;
  const { progress, total, message } = params as { progress?: unknown; total?: unknown; message?: unknown };
  if (typeof progress !== "number" || !Number.isFinite(progress)) return undefined;
  const note: ProgressNote = { progress };
  if (typeof total === "number" && Number.isFinite(total)) note.total = total;
  if (typeof message === "string") note.message = message;
  return { token, note };
}

const mostFollowed = 256;

/** Answered requests whose progress still counts. Nobody says when a task is over for certain: the oldest go first. */
export class Followed {
  /** Made for the first one: few servers have tasks. */
  #requests: Map<number, PendingRequest> | undefined;

  add(request: PendingRequest): void {
    const requests = (this.#requests ??= new Map());
    const [oldest] = requests.keys();
    if (requests.size >= mostFollowed && oldest !== undefined) requests.delete(oldest);
    requests.set(request.id, request);
  }

  get(id: number): PendingRequest | undefined {
    return this.#requests?.get(id);
  }
}
