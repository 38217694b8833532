import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Context } from "./context.js";

/** The state folder of this run: --home, MCPVISOR_HOME, or `~/.mcpvisor`. */
export function homeOf(context: Pick<Context, "env">, flags: { readonly home?: string }): string {
  const named = flags.home ?? context.env["MCPVISOR_HOME"];
  return named === undefined || named === "" ? join(homedir(), ".mcpvisor") : resolve(named);
}
