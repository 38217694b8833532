import type { Order } from "../events.js";
import type { Desk } from "./state/sharedState.js";
import { LibraryOfServer } from "./library/library.js";
import { statusOf } from "./status.js";
import type { ServerHandle } from "./contract/supervisor.js";
import type { ServerStatus } from "./contract/status.js";
import type { Library, Unit } from "./state/serverRecord.js";
import { isAttempting } from "./state/attempts.js";
import { unitReaches } from "./state/watch.js";

/** A drain, a stop of a stubborn tree and a slow start together stay below this. */
const longestMs = 120_000;

const resting: ReadonlySet<string> = new Set(["disabled", "idle", "parked", "stuck", "retired"]);

/** Orders for one server, each resolving with the status it led to. */
export function createHandle(unit: Unit, desk: Desk): ServerHandle {
  const library = (): Library => (unit.library ??= new LibraryOfServer(unit, desk));
  const status = (): ServerStatus => statusOf(unit, desk.catalog);

  async function follow(type: Order["type"], done: (generation: number) => boolean): Promise<ServerStatus> {
    // An attempt that is under way already is the one to wait for; a restart always wants a newer one.
    const joins = type === "server.connect" && isAttempting(unit);
    const before = joins ? unit.generation - 1 : unit.generation;
    desk.bus.order({ type, id: unit.id });
    await unitReaches(unit, () => done(before), desk, longestMs);
    return status();
  }

  /** It serves in a newer life, or an attempt after the order has failed. */
  function settled(before: number): boolean {
    if (unit.live !== undefined) return unit.generation > before;
    if (isAttempting(unit)) return false;
    return resting.has(unit.state)
      ? unit.generation > before || unit.state !== "idle"
      : unit.state === "reconnecting";
  }

  return {
    id: unit.id,
    status,
    connect: () => (unit.live === undefined ? follow("server.connect", settled) : Promise.resolve(status())),
    disconnect: () => follow("server.disconnect", () => resting.has(unit.state)),
    restart() {
      // Where the new life came up beside the old one and failed, there is no newer one to wait for.
      const before = unit.rollbacks;
      return follow("server.restart", (generation) => settled(generation) || unit.rollbacks > before);
    },
    listResources: () => library().listResources(),
    listResourceTemplates: () => library().listResourceTemplates(),
    readResource: (uri) => library().readResource(uri),
    subscribeResource: (uri, listener) => library().subscribeResource(uri, listener),
    listPrompts: () => library().listPrompts(),
    getPrompt: (name, args) => library().getPrompt(name, args),
    complete: (reference, argument, known) => library().complete(reference, argument, known),
  };
}
