import { stuckWith } from "./messages.js";
import type { ServerMemory } from "./serverContext.js";
import type { ServerSetup } from "./serverSetup.js";
import { because, end, enter, leave, life } from "./steps.js";

// The reap itself failed or hangs: nobody knows what is left. Only a stopping supervisor goes on.
const notReaped = [
  { guard: "isStopping", target: "deciding", actions: because("reaped") },
  {
    target: "stuck",
    actions: {
      type: "because",
      params: ({ context: { server } }: { context: ServerMemory }) => ({
        cause: stuckWith([], server),
      }),
    },
  },
] as const;

/** The old life takes no new calls and finishes what it has. */
export function draining(chart: ServerSetup) {
  return chart.createStateConfig({
    description: "Takes no new calls and lets the ones in flight finish, for a bounded time.",
    entry: enter("draining"),
    invoke: {
      id: "drain",
      src: "drain",
      input: life,
      onDone: { target: "#server.closing" },
      onError: { target: "#server.closing" },
    },
    after: { drainLimit: { target: "#server.closing" } },
    on: {
      wake: { actions: "want" },
      connect: { actions: ["forget", "renew"] },
      restart: { actions: "renew" },
      retire: { actions: leave("retire") },
      configure: [
        { guard: "planForbids", target: "#server.closing", actions: ["takePlan", end("config-changed")] },
        { actions: ["takePlan", "renew"] },
      ],
    },
  });
}

/** Between two lives: nothing new begins before the old one is gone. */
export function closing(chart: ServerSetup) {
  return chart.createStateConfig({
    description: "Waits until no process and no connection of the last life is left.",
    entry: enter("closing"),
    invoke: {
      id: "reap",
      src: "reap",
      input: life,
      onDone: [
        {
          guard: { type: "staysStuck", params: ({ event }) => ({ left: event.output.survivors.length }) },
          target: "stuck",
          actions: [
            { type: "keepSurvivors", params: ({ event }) => event.output },
            {
              type: "because",
              params: ({ context, event }) => ({ cause: stuckWith(event.output.survivors, context.server) }),
            },
          ],
        },
        {
          target: "deciding",
          actions: [{ type: "keepSurvivors", params: ({ event }) => event.output }, because("reaped")],
        },
      ],
      onError: notReaped,
    },
    after: { reapLimit: notReaped },
    on: {
      wake: { actions: "want" },
      connect: { actions: ["forget", "renew"] },
      restart: { actions: "renew" },
      disconnect: { actions: "rest" },
      configure: { actions: ["takePlan", "beginIfOwn"] },
      retire: { actions: leave("retire") },
      stop: { actions: leave("stop") },
    },
  });
}

/** Something of the last life cannot be ended. */
export function stuck(chart: ServerSetup) {
  return chart.createStateConfig({
    description: "Processes of the last life could not be ended. Looks again; no new life meanwhile.",
    entry: enter("stuck"),
    after: { stuckRetry: { target: "closing", actions: because("retry") } },
    on: {
      wake: { actions: "refuse" },
      connect: { target: "closing", actions: ["forget", "renew", because("requested")] },
      restart: { target: "closing", actions: ["renew", because("restart-requested")] },
      disconnect: { actions: "rest" },
      configure: { actions: ["takePlan", "beginIfOwn"] },
      retire: { target: "closing", actions: [leave("retire"), because("removed")] },
      stop: { target: "closing", actions: [leave("stop"), because("stopping")] },
    },
  });
}
