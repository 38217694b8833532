import type { Surroundings } from "../files/load.js";
import { absolute, surroundings } from "../files/load.js";
import { installFolder } from "../../builtin/presets.js";
import type { ParseContext } from "./parse.js";
import type { Limits } from "../../spec.js";

/** What every file of a fleet is read with. */
export interface ContextOptions {
  /** The state folder, resolved. */
  readonly home: string;
  readonly workspace?: string;
  readonly network?: boolean;
  readonly limits?: Partial<Limits>;
  /** Default: this process. */
  readonly surroundings?: Surroundings;
}

/** The context of parseConfig, but for the file itself. */
export function parseContext(options: ContextOptions): Omit<ParseContext, "file" | "scope"> {
  const { node, platform, env } = options.surroundings ?? surroundings();
  const { home, workspace, limits, network } = options;
  const install = installFolder();
  return {
    node,
    env,
    home,
    ...(install === undefined ? {} : { mcpvisor: install }),
    python: platform === "win32" ? "python" : "python3",
    ...(workspace === undefined ? {} : { workspace: absolute(workspace) }),
    ...(limits === undefined ? {} : { limits }),
    ...(network === undefined ? {} : { network }),
  };
}
