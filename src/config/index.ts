/** The door of this room for the command line: reading and explaining configuration without starting anything. */
export { ConfigError } from "../errors.js";
export { parseDuration } from "./duration.js";
export { loadFleet, type FleetOptions, type LoadedFleet } from "./fleet.js";
export { resolveHome } from "./home.js";
export type { ServerSpec } from "./spec.js";
export { viewOf } from "./view.js";
