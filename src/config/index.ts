/** The door of this room for the command line: reading, explaining and editing configuration without starting anything. */
export { loadFleet, type LoadedFleet } from "./fleet.js";
export type { ServerSpec } from "./spec.js";
export { enableEntry, removeEntryOf, saveEntry, showEntry } from "./store.js";
export { viewOf } from "./view.js";
