/** The account commands, for the CLI and for hosts: they never print or return a secret. */
export { connectAccount } from "./connect.js";
export { disconnectAccount, type Disconnected } from "./disconnect.js";
export { AccountError } from "./errors.js";
export { listAccounts } from "./list.js";
export type { AccountOptions, AccountSummary, ConnectOptions } from "./options.js";
export { type ServiceId, serviceIds } from "../contract/ids.js";
