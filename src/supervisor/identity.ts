import { createRequire } from "node:module";
import type { ClientIdentity } from "../protocol/codec.js";

const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };

/** What servers are told about us. Capabilities stay empty unless a host passes handlers for them. */
export const identity: ClientIdentity = { info: { name: "mcpvisor", version }, capabilities: {} };
