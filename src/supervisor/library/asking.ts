import type { Life } from "../../actors/life.js";
import { elapsedOf } from "../../clock.js";
import type { Cause, Failure } from "../../errors.js";
import { isPassedOn } from "../../protocol/behalf.js";
import type { Behalf } from "../../protocol/behalf.js";
import { tasksExtension } from "../../protocol/modernCodec.js";
import { readInputRequired, resultTypeOf } from "../../protocol/rounds.js";
import { isRecord } from "../../protocol/serverInfo.js";
import type { Channel } from "../../rpc/channel.js";
import type { Reply } from "../../rpc/pending.js";
import { request } from "../../rpc/request.js";
import type { ServerRequestOptions } from "../contract/calls.js";
import type { SharedState } from "../state/sharedState.js";
import { maskedFailure, unavailable } from "../state/failures.js";
import { leave } from "../state/serverRecord.js";
import type { ServerRecord } from "../state/serverRecord.js";
import { recordReaches } from "../state/watch.js";

export type Asked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

const mostRounds = 10;
const hopeless: ReadonlySet<string> = new Set(["disabled", "parked", "stuck", "retired"]);

/** The life of a server that serves, after waking it if need be. */
export async function liveOf(record: ServerRecord, shared: SharedState): Promise<Asked<Life>> {
  if (record.live === undefined && shared.closed === undefined) {
    const before = record.generation;
    shared.bus.order({ type: "server.wake", id: record.id });
    const settled = (each: ServerRecord): boolean =>
      each.live !== undefined ||
      hopeless.has(each.state) ||
      (each.state === "idle" && each.generation > before);
    await recordReaches(record, settled, shared, record.spec.connectTimeoutMs);
  }
  return record.live === undefined
    ? { ok: false, failure: maskedFailure(unavailable(record, record.lastError ?? record.cause), record) }
    : { ok: true, value: record.live };
}

/** One request that is no call, with the rounds that a modern server may want (MCP 2026-07-28); never rejects. */
export async function ask(
  record: ServerRecord,
  life: Life,
  shared: SharedState,
  method: string,
  params: object,
  options: ServerRequestOptions = {},
): Promise<Asked<Readonly<Record<string, unknown>>>> {
  const { channel } = life;
  if (channel === undefined) return failure(record, method, { kind: "internal", message: "no connection" });
  // A life that is replaced meanwhile ends when everybody has got an answer.
  life.inFlight++;
  try {
    return await askOn(channel, record, shared, method, params, options);
  } finally {
    leave(record, life);
  }
}

async function askOn(
  channel: Channel,
  record: ServerRecord,
  shared: SharedState,
  method: string,
  params: object,
  { behalf, signal, onProgress }: ServerRequestOptions,
): Promise<Asked<Readonly<Record<string, unknown>>>> {
  const { modern } = channel.codec;
  const given = behalf === undefined ? {} : membersFor(behalf, modern);
  let more: object = behalf?.retry ?? {};
  for (let round = 0; round <= mostRounds; round++) {
    const dueAt = elapsedOf(shared.clock) + record.spec.callTimeoutMs;
    const reply = await request(
      channel,
      method,
      { ...params, ...given, ...more },
      {
        dueAt,
        deadlines: shared.deadlines,
        ...(behalf === undefined ? {} : { behalf }),
        ...(signal === undefined ? {} : { signal }),
        ...(onProgress === undefined ? {} : { onProgress }),
      },
    );
    if (reply.kind !== "result") return failure(record, method, reply);
    const result = isRecord(reply.result) ? reply.result : {};
    const type = channel.codec.modern ? resultTypeOf(result) : "complete";
    // What asks for the state of a task may be answered with that state.
    if (type === "complete" || isPassedOn(type, behalf)) return { ok: true, value: result };
    const wanted = type === "input_required" ? readInputRequired(result) : undefined;
    if (wanted === undefined) break;
    const inputResponses: Record<string, unknown> = {};
    for (const { key, method: asked, params: details } of wanted.requests) {
      const stop = signal ?? new AbortController().signal;
      const answer = await (behalf === undefined
        ? shared.inputs.ask(record.id, asked, details, stop)
        : behalf.ask?.(asked, details, stop));
      inputResponses[key] =
        answer !== undefined && "result" in answer ? answer.result : { action: "decline" };
    }
    more = {
      ...(wanted.requests.length === 0 ? {} : { inputResponses }),
      ...(wanted.state === undefined ? {} : { requestState: wanted.state }),
    };
  }
  return failure(record, method, {
    kind: "internal",
    message: "its answer is no result, or it asks for input without an end",
  });
}

/** What a request says of the consumer that it is made for. */
function membersFor({ meta, logLevel, capabilities }: Behalf, modern: boolean): object {
  const prefix = "io.modelcontextprotocol/";
  const _meta = {
    ...meta,
    ...(modern
      ? { [`${prefix}clientCapabilities`]: { ...capabilities, extensions: { [tasksExtension]: {} } } }
      : {}),
    ...(modern && logLevel !== undefined ? { [`${prefix}logLevel`]: logLevel } : {}),
  };
  return Object.keys(_meta).length === 0 ? {} : { _meta };
}

/** The failure of a request in the words of a call's. */
export function failure(
  record: ServerRecord,
  method: string,
  end: Exclude<Reply, { kind: "result" }> | Cause,
): { readonly ok: false; readonly failure: Failure } {
  const who = `${method} of server "${record.spec.name}"`;
  const told = (each: Failure) => ({ ok: false, failure: maskedFailure(each, record) }) as const;
  if ("message" in end) return told({ kind: "invalid-result", message: `${who}: ${end.message}` });
  switch (end.kind) {
    case "error": {
      const { code, message, data } = end.error;
      const more = data === undefined ? {} : { data };
      return told({
        kind: "protocol-error",
        message: `${who} was refused: ${message} (code ${code})`,
        code,
        refusal: message,
        ...more,
      });
    }
    case "lost":
    case "refused":
      return told({ kind: "unavailable", message: `${who} got no answer: ${end.cause.message}` });
    case "timeout":
    case "cancelled":
      return told({
        kind: "timeout",
        message: `${who} was not answered within ${record.spec.callTimeoutMs} ms`,
      });
  }
}
