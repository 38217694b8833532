import type { ServerSetup } from "./serverSetup.js";
import { because, end, endWithError, enter, life } from "./steps.js";

/** The way of a life into service. */
export function starting(chart: ServerSetup) {
  return chart.createStateConfig({
    description: "On the way to service; one deadline over all of it. Restarts join it.",
    initial: "connecting",
    after: { connectDeadline: { target: "#server.closing", actions: end("connect-timeout") } },
    states: {
      connecting: {
        description: "The process is spawned, or the address is dialled.",
        entry: enter("connecting"),
        on: { "connection.opened": { target: "initializing", actions: because("opened") } },
      },
      initializing: {
        description: "The handshake: versions and capabilities.",
        entry: enter("initializing"),
        invoke: {
          id: "initialize",
          src: "initialize",
          input: life,
          onDone: {
            target: "listing",
            actions: [
              { type: "keepSession", params: ({ event }) => ({ session: event.output }) },
              because("initialized"),
            ],
          },
          onError: {
            target: "#server.closing",
            actions: endWithError("handshake-error"),
          },
        },
      },
      listing: {
        description: "The tools are listed for the first time.",
        entry: enter("listing"),
        invoke: {
          id: "list",
          src: "list",
          input: life,
          onDone: [
            {
              guard: "isDirty",
              target: "#server.alive.serving.ready.changed",
              actions: [
                { type: "keepTools", params: ({ event }) => ({ list: event.output }) },
                "noteChange",
                because("listed"),
              ],
            },
            {
              target: "#server.alive.serving",
              actions: [
                { type: "keepTools", params: ({ event }) => ({ list: event.output }) },
                because("listed"),
              ],
            },
          ],
          onError: {
            target: "#server.closing",
            actions: endWithError("list-failed"),
          },
        },
        // What changes before the answer to the walk may not be in it.
        on: { "tools.changed": { actions: "markDirty" } },
      },
    },
  });
}
