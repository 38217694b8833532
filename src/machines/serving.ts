import { replacing } from "./replacing.js";
import type { ServerSetup } from "./serverSetup.js";
import { because, end, enter, leave, life, note } from "./steps.js";

const noteListFailed = note("its tools could not be listed again; the known list stays");

// The old list stays; a few more walks are tried, each after a longer wait.
const notListed = [
  {
    guard: "mayListAgain",
    target: "ready.changed",
    actions: ["listFailed", noteListFailed, because("list-failed")],
  },
  { target: "ready", actions: ["listFailed", noteListFailed, because("list-failed")] },
] as const;

/** A life in service. Calls are taken in each state of it. */
export function serving(chart: ServerSetup) {
  return chart.createStateConfig({
    description: "In service: calls are taken.",
    tags: "usable",
    initial: "ready",
    after: {
      lifetime: {
        guard: "hasLifetime",
        target: "#server.alive.draining",
        actions: ["renew", end("max-lifetime")],
      },
      stableTime: { actions: "forgetIfStable" },
    },
    on: {
      "session.proven": { actions: ["prove", "forgetIfStable"] },
      "health.failed": {
        target: "#server.closing",
        actions: { type: "end", params: ({ event }) => ({ cause: event.cause }) },
      },
      "idle.expired": { target: "#server.closing", actions: ["rest", end("idle")] },
      restart: [
        { guard: "mayHandOver", target: ".replacing", actions: because("restart-requested") },
        { target: "#server.alive.draining", actions: ["renew", end("restart-requested")] },
      ],
      retire: { target: "#server.alive.draining", actions: [leave("retire"), end("removed")] },
      configure: [
        { guard: "planForbids", target: "#server.closing", actions: ["takePlan", end("config-changed")] },
        {
          guard: "planHandsOver",
          target: ".replacing",
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
    states: { ready: ready(chart), refreshing: refreshing(chart), replacing: replacing(chart) },
  });
}

function ready(chart: ServerSetup) {
  return chart.createStateConfig({
    description: "Its tools are known and calls are taken.",
    initial: "calm",
    entry: enter("ready"),
    states: {
      calm: {
        description: "The list is fresh.",
        on: { "tools.changed": { target: "changed", actions: ["noteChange", "noteIfNoisy"] } },
      },
      changed: {
        description:
          "The list changed; many changes become one walk, and the wait grows while they come fast.",
        entry: "markDirty",
        after: {
          relistWait: { target: "#server.alive.serving.refreshing", actions: because("tools-changed") },
        },
      },
    },
  });
}

function refreshing(chart: ServerSetup) {
  return chart.createStateConfig({
    description: "The tools are listed again; the old list serves until then, and stays if this fails.",
    entry: [...enter("refreshing"), "markClean"],
    invoke: {
      id: "refresh",
      src: "list",
      input: life,
      onDone: [
        {
          guard: "isDirty",
          target: "ready.changed",
          actions: [
            { type: "keepTools", params: ({ event }) => ({ list: event.output }) },
            "noteChange",
            "noteIfNoisy",
            because("listed"),
          ],
        },
        {
          target: "ready",
          actions: [
            { type: "keepTools", params: ({ event }) => ({ list: event.output }) },
            because("listed"),
          ],
        },
      ],
      onError: notListed,
    },
    after: { refreshLimit: notListed },
    on: { "tools.changed": { actions: "markDirty" } },
  });
}
