import type { ServerSetup } from "./serverSetup.js";
import { because, end, enter, life, rollBack, rollBackWithError, successor } from "./steps.js";

// A change that the broken-off walk of the old life would have listed is listed now.
const back = <T>(why: T) =>
  [
    { guard: "isDirty", target: "#server.alive.serving.ready.changed", actions: ["noteChange", why] },
    { target: "#server.alive.serving.ready", actions: [why] },
  ] as const;

const failed = back(rollBackWithError);

/** The old life serves while the new one comes up beside it; what goes wrong with the new one costs nothing. */
export function replacing(chart: ServerSetup) {
  return chart.createStateConfig({
    description:
      "In service; a new life comes up beside the old one. If it does not, the old one goes on as if nothing had been.",
    initial: "clearing",
    entry: ["stayDirty", ...enter("replacing")],
    on: {
      "tools.changed": { actions: "markDirty" },
      // Joins the one that is under way.
      restart: { actions: because("restart-requested") },
      // What was wanted is a new life, so the end of the old one begins it.
      "connection.closed": {
        target: "#server.closing",
        actions: ["renew", { type: "end", params: ({ event }) => ({ cause: event.cause }) }],
      },
      "health.failed": {
        target: "#server.closing",
        actions: ["renew", { type: "end", params: ({ event }) => ({ cause: event.cause }) }],
      },
      configure: [
        { guard: "planForbids", target: "#server.closing", actions: ["takePlan", end("config-changed")] },
        {
          guard: "planHandsOver",
          target: ".clearing",
          actions: ["takePlan", because("config-changed")],
        },
        {
          guard: "planRenews",
          target: "#server.alive.draining",
          actions: ["takePlan", "renew", end("config-changed")],
        },
        { actions: "takePlan" },
      ],
    },
    states: {
      clearing: {
        description: "Never a third life: one that still drains, or was given up, ends first.",
        invoke: {
          id: "clear",
          src: "clear",
          input: life,
          onDone: "preparing",
          onError: failed,
        },
        after: { clearLimit: back(rollBack("stuck")) },
      },
      preparing: {
        description:
          "The new life connects, agrees on a revision and lists its tools, within the connect limit.",
        entry: "beginSuccessor",
        invoke: {
          id: "successor",
          src: "successor",
          input: successor,
          onDone: {
            target: "#server.succeeding",
            actions: [
              { type: "keepSuccessor", params: ({ event }) => ({ successor: event.output }) },
              because("replaced"),
            ],
          },
          onError: failed,
        },
        after: { connectDeadline: back(rollBack("connect-timeout")) },
      },
    },
  });
}
