/** The door of this room for the command line: reading, explaining and editing configuration without starting anything. */
export { loadFleet, type LoadedFleet } from "./fleet.js";
export { attachTo, detachFrom } from "./attach/attach.js";
export { attachHosts, shapes, type AttachHost, type Way } from "./attach/hosts.js";
export { projectFile, userFiles } from "./attach/place.js";
export { judgeHome } from "./files/home.js";
export { hosts, type Host } from "./import/hosts.js";
export { importConfig } from "./import/import.js";
export { takeOver, type TakenOver } from "./import/takeOver.js";
export { defaultLimits, type ServerSpec } from "../spec.js";
export { enableEntry, removeEntryOf, saveEntry, showEntry } from "./store/store.js";
export { viewOf } from "./store/view.js";
export { settingsSection } from "./files/section.js";
