import type { Consumer } from "../consumers/consumer.js";
import type { Exchange, Peer } from "../consumers/peer.js";
import type { Seal } from "../consumers/seal.js";
import type { Fleet } from "../contract/door.js";
import { codes, failed, isRecord } from "../contract/protocol.js";
import type { Answer, Json } from "../contract/protocol.js";
import { declaresTasks, tasksExtension } from "../view/capabilities.js";
import type { View } from "../view/view.js";
import { mapResult, requestOf } from "./carried.js";

/** Tasks of servers in the hands of consumers who carry them themselves (MCP 2026-07-28, Tasks extension). */
export interface Tasks {
  /** A result of type `task`, under a handle that only its consumer can use: `<server>+<sealed id>`. */
  handed(peer: Peer, server: string, result: Json): Json;
  /** `tasks/get`, `tasks/update` and `tasks/cancel`. */
  serve(peer: Peer, method: string, params: Json, exchange: Exchange, view: View): Promise<Answer> | Answer;
}

/** Nothing is kept here: the handle holds the server's id, so it outlives a restart as sessions do. */
export function createTasks(fleet: Fleet, seal: Seal): Tasks {
  function handed({ consumer }: Peer, server: string, result: Json): Json {
    const { taskId } = result;
    if (typeof taskId !== "string") return result;
    return { ...result, taskId: `${server}+${seal.close(purposeOf(consumer, server), taskId)}` };
  }

  function opened(
    { consumer }: Peer,
    handle: unknown,
    view: View,
  ): { server: string; id: string } | undefined {
    if (typeof handle !== "string") return undefined;
    // The sealed part holds no plus; the name of a server may.
    const end = handle.lastIndexOf("+");
    const server = handle.slice(0, end);
    if (end < 1 || !view.servers.some((each) => each.id === server)) return undefined;
    const id = seal.open(purposeOf(consumer, server), handle.slice(end + 1));
    return typeof id === "string" ? { server, id } : undefined;
  }

  return {
    handed,
    serve(peer, method, params, exchange, view) {
      if (!declaresTasks(peer.capabilities)) return undeclared;
      const { taskId: handle, inputResponses } = params;
      const task = opened(peer, handle, view);
      if (task === undefined) return unknown;
      const { server, id } = task;
      const own = { taskId: id, ...(inputResponses === undefined ? {} : { inputResponses }) };
      const run = {
        signal: exchange.signal,
        ask: () => undefined,
        notify: () => undefined,
        retry: undefined,
      };
      return fleet.ask(server, method, own, requestOf(peer, params, run)).then((answer) =>
        mapResult(answer, peer, (result) => {
          // Some servers say `task` here too; the state of a task is a complete answer.
          const { taskId, result: finished, resultType: _type, ...rest } = result;
          void _type;
          return {
            ...rest,
            ...(taskId === undefined ? {} : { taskId: handle }),
            ...(finished === undefined
              ? {}
              : { result: isRecord(finished) ? view.uris.result(server, finished) : finished }),
          };
        }),
      );
    },
  };
}

function purposeOf({ name, epoch }: Consumer, server: string): string {
  return `task:${name}:${epoch}:${server}`;
}

const unknown = failed(
  codes.invalidParams,
  "Unknown task: it is none of this consumer, or not of this gateway",
);
const undeclared = failed(codes.missingCapability, `the extension ${tasksExtension} was not declared`, {
  requiredCapabilities: { extensions: { [tasksExtension]: {} } },
});
