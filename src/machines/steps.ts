import type { CauseKind } from "../errors.js";
import type { ServerState } from "../events.js";
import { causeOfError } from "./messages.js";
import type { Destination, ServerMemory } from "./serverContext.js";

/** The small words that the chart of a server is written with: each gives an action, guard or input by name. */

/** Tells the change of state; the entry of each state that hosts can see. */
export const enter = (to: ServerState) =>
  [
    { type: "tell", params: { to } },
    { type: "arrive", params: { to } },
  ] as const;

/** Says why the next state is entered. */
export const because = (kind: CauseKind) => ({ type: "because", params: { kind } }) as const;

/** Tells a person something that changes no state. */
export const note = (message: string) => ({ type: "note", params: { message } }) as const;

/** Says why this life ends. */
export const end = (kind: CauseKind) => ({ type: "end", params: { kind } }) as const;

/** Ends this life with the cause that a failed actor carries; `kind` when it carries none. */
export const endWithError = (kind: CauseKind) =>
  ({
    type: "end",
    params: ({ context, event }: { context: ServerMemory; event: { error: unknown } }) => ({
      cause: causeOfError(event.error, kind, context.server),
    }),
  }) as const;

/** The new life did not come up: says why the old one goes on. */
export const rollBack = (kind: CauseKind) => ({ type: "rollBack", params: { kind } }) as const;

/** The same with the cause that the failed successor carries. */
export const rollBackWithError = {
  type: "rollBack",
  params: ({ context, event }: { context: ServerMemory; event: { error: unknown } }) => ({
    cause: causeOfError(event.error, "internal", context.server),
  }),
} as const;

export const leave = (intent: "retire" | "stop") => ({ type: "leave", params: { intent } }) as const;

/** True when `deciding` decided for this way. */
export const goesTo = (to: Destination) => ({ type: "goesTo", params: { to } }) as const;

/** The input of the actor that makes the next life. */
export const successor = ({ context: { server } }: { context: ServerMemory }) => ({
  id: server.id,
  generation: server.given,
});

/** The input of each actor of a life. */
export const life = ({ context: { server } }: { context: ServerMemory }) => ({
  id: server.id,
  generation: server.generation,
});
