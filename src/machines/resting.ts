import type { ServerSetup } from "./serverSetup.js";
import { because, enter, leave } from "./steps.js";

/** The states without a life: disabled, idle, parked, and the wait before the next try. */
export function resting(chart: ServerSetup) {
  return chart.createStateConfig({
    description: "No life: no process, no connection, nothing to clean up.",
    initial: "idle",
    on: {
      connect: [
        { guard: "mayBegin", target: "alive", actions: ["forget", because("requested")] },
        { actions: "refuse" },
      ],
      restart: [
        { guard: "mayBegin", target: "alive", actions: ["forget", because("restart-requested")] },
        { actions: "refuse" },
      ],
      retire: { target: "retired", actions: [leave("retire"), because("removed")] },
      stop: { target: "retired", actions: [leave("stop"), because("stopping")] },
    },
    states: {
      disabled: {
        description: "Switched off in the configuration; only a new configuration leads out.",
        tags: "resting",
        entry: enter("disabled"),
        on: {
          wake: { actions: "refuse" },
          configure: {
            target: "#server.deciding",
            actions: ["takePlan", "forget", "beginIfOwn", because("config-changed")],
          },
        },
      },
      idle: {
        description: "Waits for a call, or for somebody to connect it.",
        tags: "resting",
        entry: enter("idle"),
        on: {
          start: [
            {
              guard: "startsByItself",
              target: "#server.alive",
              actions: ["markStarted", because("start")],
            },
            { actions: "markStarted" },
          ],
          wake: [
            { guard: "mustWait", target: "reconnecting", actions: because("wake") },
            { target: "#server.alive", actions: because("wake") },
          ],
          configure: [
            {
              guard: "planForbids",
              target: "#server.deciding",
              actions: ["takePlan", because("config-changed")],
            },
            {
              guard: "planBegins",
              target: "#server.deciding",
              actions: ["takePlan", "forget", "beginIfOwn", because("config-changed")],
            },
            { actions: "takePlan" },
          ],
        },
      },
      parked: {
        description: "Stopped trying by itself. A call may try once (all callers share it); so may a person.",
        tags: "resting",
        entry: enter("parked"),
        after: {
          probeEvery: {
            guard: "probesByItself",
            target: "#server.alive",
            actions: ["halfOpen", because("probe")],
          },
        },
        on: {
          wake: [
            { guard: "mayProbe", target: "#server.alive", actions: ["halfOpen", because("wake")] },
            { actions: "refuse" },
          ],
          authorize: { guard: "mayBegin", target: "authorizing" },
          authorized: {
            guard: "waitsForTokens",
            target: "#server.alive",
            actions: ["forget", because("authorized")],
          },
          disconnect: { guard: "mayBegin", target: "idle", actions: ["rest", because("requested")] },
          configure: {
            target: "#server.deciding",
            actions: ["takePlan", "forget", "beginIfOwn", because("config-changed")],
          },
        },
      },
      authorizing: {
        description: "Somebody logs in. Calls wait for the end of it, within their own time.",
        tags: "resting",
        entry: enter("authorizing"),
        after: { loginLimit: { target: "parked", actions: because("needs-authorization") } },
        on: {
          authorized: { target: "#server.alive", actions: ["forget", because("authorized")] },
          unauthorized: {
            target: "parked",
            actions: { type: "because", params: ({ event }) => ({ cause: event.cause }) },
          },
          disconnect: { target: "idle", actions: ["rest", because("requested")] },
          configure: {
            target: "#server.deciding",
            actions: ["takePlan", "forget", "beginIfOwn", because("config-changed")],
          },
        },
      },
      reconnecting: {
        description: "Waits out the back-off. Calls join the coming attempt and do not shorten the wait.",
        entry: enter("reconnecting"),
        after: { retryWait: { target: "#server.alive", actions: because("retry") } },
        on: {
          disconnect: { target: "idle", actions: ["rest", because("requested")] },
          configure: [
            {
              guard: "planForbids",
              target: "#server.deciding",
              actions: ["takePlan", because("config-changed")],
            },
            {
              guard: "planRenews",
              target: "#server.alive",
              actions: ["takePlan", "forget", because("config-changed")],
            },
            { actions: "takePlan" },
          ],
        },
      },
    },
  });
}
