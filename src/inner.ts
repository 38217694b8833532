/**
 * The door for the chaos kit (src/testing): parts of the engine that hosts do not need and that may change.
 */
export { elapsedOf } from "./clock.js";
export { ConnectError } from "./errors.js";
export { serverPaths } from "./machines/paths.js";
export { wrapTransports } from "./supervisor/transportWrappers.js";
export { createMemoryPair } from "./transport/memory.js";
export type { MemoryServer } from "./transport/memory.js";
