import type { ActorRefFrom, SnapshotFrom } from "xstate";
import { closing, draining, stuck } from "./leaving.js";
import { resting } from "./resting.js";
import { newContext } from "./serverContext.js";
import { serverSetup } from "./serverSetup.js";
import type { ServerSetup, TimeAndChance } from "./serverSetup.js";
import { serving } from "./serving.js";
import { starting } from "./starting.js";
import { end, endWithError, enter, goesTo, leave, life } from "./steps.js";

export type ServerMachine = ReturnType<typeof createServerMachine>;
export type ServerActor = ActorRefFrom<ServerMachine>;
export type ServerSnapshot = SnapshotFrom<ServerMachine>;

/**
 * The life of one server as a chart (docs/states.md): it decides, invoked actors act. Pure: its default actors do
 * nothing; give the real ones by `provide`, once per supervisor. Input is `ServerInput`, events are `ServerEvent`,
 * what it emits is `ServerEmitted`; a retired one gives a `ServerOutput`.
 */
export function createServerMachine({ now, random }: TimeAndChance) {
  const chart = serverSetup({ now, random });
  return chart.createMachine({
    id: "server",
    description: "The life of one server.",
    context: ({ input }) => ({ server: newContext(input, now()) }),
    initial: "deciding",
    output: ({ context: { server } }) => ({ id: server.id, survivors: server.survivors }),
    on: {
      start: { actions: "markStarted" },
      "xstate.done.actor.drainReplaced": { actions: "forgetReplaced" },
      "xstate.error.actor.drainReplaced": { actions: "forgetReplaced" },
    },
    states: {
      deciding: {
        description: "Reads the intent, the cause table and the restart budget; left at once.",
        entry: [...enter("deciding"), "judge"],
        always: [
          { guard: goesTo("retired"), target: "retired" },
          { guard: goesTo("disabled"), target: "resting.disabled" },
          { guard: goesTo("parked"), target: "resting.parked" },
          { guard: goesTo("reconnecting"), target: "resting.reconnecting" },
          { guard: goesTo("alive"), target: "alive" },
          { target: "resting.idle" },
        ],
      },
      resting: resting(chart),
      alive: alive(chart),
      succeeding: {
        description:
          "A new life is ready beside the old one: it takes over, the old one drains; left at once.",
        entry: "beginDrainReplaced",
        always: "alive.serving",
      },
      closing: closing(chart),
      stuck: stuck(chart),
      retired: {
        description: "Ended for good.",
        type: "final",
        tags: "terminal",
        entry: enter("retired"),
      },
    },
  });
}

function alive(chart: ServerSetup) {
  return chart.createStateConfig({
    description: "One life: owns the connection. Every way out leads through closing, or to its successor.",
    initial: "starting",
    entry: "beginLife",
    invoke: {
      id: "connection",
      src: "connection",
      input: life,
      onError: { target: "closing", actions: endWithError("internal") },
    },
    on: {
      "connection.closed": {
        target: "closing",
        actions: { type: "end", params: ({ event }) => ({ cause: event.cause }) },
      },
      connect: { actions: "forget" },
      disconnect: { target: "closing", actions: ["rest", end("requested")] },
      retire: { target: "closing", actions: [leave("retire"), end("removed")] },
      stop: { target: "closing", actions: [leave("stop"), end("stopping")] },
      configure: [
        { guard: "planForbids", target: "closing", actions: ["takePlan", end("config-changed")] },
        { guard: "planRenews", target: "closing", actions: ["takePlan", "renew", end("config-changed")] },
        { actions: "takePlan" },
      ],
    },
    states: { starting: starting(chart), serving: serving(chart), draining: draining(chart) },
  });
}
