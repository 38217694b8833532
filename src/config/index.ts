/** The door of this room for the command line: reading, explaining and editing configuration without starting anything. */
export { ConfigError } from "../errors.js";
export { parseDuration } from "./duration.js";
export { loadFleet, type FleetOptions, type LoadedFleet } from "./fleet.js";
export { idFor } from "./identity.js";
export { resolveHome } from "./home.js";
export type { ServerSpec } from "./spec.js";
export { enableEntry, removeEntryOf, saveEntry, showEntry } from "./store.js";
export { viewOf } from "./view.js";
