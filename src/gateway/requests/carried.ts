import type { FleetRequest } from "../contract/door.js";
import type { Exchange, Peer } from "../consumers/peer.js";
import { isId, meta, metaOf } from "../contract/protocol.js";
import type { Answer, Json } from "../contract/protocol.js";
import { declaresTasks, mirrored } from "../view/capabilities.js";
import type { Run } from "./rounds.js";

const passedOn = new Set(["traceparent", "tracestate", "baggage"]);
const levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/** What goes to a server beside a request of a consumer. */
export function requestOf(peer: Peer, params: Json, { signal, ask, notify, retry }: Run): FleetRequest {
  const given = metaOf(params);
  const token = given["progressToken"];
  const passed = Object.fromEntries(
    Object.entries(given).filter(([key, value]) => passedOn.has(key) && typeof value === "string"),
  );
  const hops = Number(given[meta.hops]) || 0;
  const { consumer, session, client, capabilities, modern, logLevel } = peer;
  return {
    behalf: {
      consumer: consumer.name,
      ...(session === "" ? {} : { session }),
      ...(client === "" ? {} : { host: client }),
      ...(consumer.config.mode === undefined ? {} : { mode: consumer.config.mode }),
    },
    signal,
    ask,
    relay: modern,
    tasks: modern && declaresTasks(capabilities),
    capabilities: mirrored(capabilities, modern),
    meta: { ...passed, [meta.hops]: hops + 1 },
    ...(retry === undefined ? {} : { retry }),
    ...(isId(token) ? { onProgress: growing(token, notify) } : {}),
    ...(modern && logLevel === undefined ? {} : logging(logLevel ?? "debug", notify)),
  };
}

/** Progress under the token of the consumer: only what grows, as the protocol demands. */
function growing(
  token: string | number,
  notify: Exchange["notify"],
): NonNullable<FleetRequest["onProgress"]> {
  let last = -Infinity;
  return (note) => {
    if (!(note.progress > last)) return;
    last = note.progress;
    notify("notifications/progress", { progressToken: token, ...note });
  };
}

function logging(level: string, notify: Exchange["notify"]): Pick<FleetRequest, "logLevel" | "onLog"> {
  const least = levels.indexOf(level);
  return {
    logLevel: level,
    onLog(params) {
      if (levels.indexOf(String(params["level"])) >= least) notify("notifications/message", params);
    },
  };
}

/** A result in the words of the consumer's era. */
export function mapResult(answer: Answer, peer: Peer, map: (result: Json) => Json): Answer {
  if (!("result" in answer)) return answer;
  const mapped = map(answer.result);
  const { resultType } = mapped;
  if (!peer.modern && resultType === undefined) return { result: mapped };
  const { resultType: _type, ...rest } = mapped;
  void _type;
  if (!peer.modern) return { result: rest };
  return { result: resultType === undefined ? { resultType: "complete", ...rest } : { resultType, ...rest } };
}
