import { realClock } from "../clock.js";
import { parseDuration } from "../config/fields/duration.js";
import { resolveHome } from "../config/files/home.js";
import { ConfigError } from "../errors.js";
import type { ConfigProblem } from "../errors.js";
import { nearest } from "../tools/near.js";
import { permissionModes } from "../policy/permission.js";
import type { SupervisorOptions } from "./contract/options.js";
import type { Settings } from "./state/settings.js";

const choices = {
  mode: permissionModes,
  naming: ["flat", "scoped"],
  containment: ["auto", "off", "subreaper", "cgroup", "namespace"],
  authorizeWhen: ["asked", "needed"],
  logging: ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"],
} as const;

/** Every option: another word is a slip, and what it was meant to switch on would silently be off. */
const optionNames: Readonly<Record<keyof SupervisorOptions, true>> = {
  approvalTimeout: true,
  approve: true,
  authorize: true,
  authorizeWhen: true,
  callMeta: true,
  clock: true,
  configFiles: true,
  consumers: true,
  containment: true,
  discover: true,
  elicit: true,
  handleSignals: true,
  home: true,
  limits: true,
  logger: true,
  logging: true,
  mcpServers: true,
  mode: true,
  naming: true,
  network: true,
  only: true,
  parallelStarts: true,
  random: true,
  remember: true,
  roots: true,
  sample: true,
  servers: true,
  stderr: true,
  transports: true,
  watch: true,
  workspace: true,
};
const known: ReadonlySet<string> = new Set(Object.keys(optionNames));

/** Checks the options that are no servers. Throws ConfigError naming every option that makes no sense. */
export function readOptions(options: SupervisorOptions): Settings {
  const problems: ConfigProblem[] = [];
  const wrong = (path: string, message: string): void =>
    void problems.push({ severity: "error", path, message });
  for (const [name, allowed] of Object.entries(choices)) {
    const value = options[name as keyof typeof choices];
    if (value !== undefined && !(allowed as readonly string[]).includes(value)) {
      wrong(name, `must be one of ${allowed.join(", ")}, not ${JSON.stringify(value)}`);
    }
  }
  for (const name of Object.keys(options)) {
    if (known.has(name)) continue;
    const [near] = nearest(name, known, 1);
    wrong(
      name,
      `is not an option of createSupervisor${near === undefined ? "" : `; did you mean "${near}"?`}`,
    );
  }
  const approval = parseDuration(options.approvalTimeout ?? "5m");
  if (!approval.ok) wrong("approvalTimeout", approval.problem);
  const { parallelStarts = 16 } = options;
  if (!Number.isInteger(parallelStarts) || parallelStarts < 1)
    wrong("parallelStarts", "must be a whole number from 1 on");
  if (options.servers !== undefined && !Array.isArray(options.servers))
    wrong("servers", "must be a list of servers");
  if (problems.length > 0) {
    const text = problems.map((problem) => `${problem.path} ${problem.message}`).join("; ");
    throw new ConfigError(`createSupervisor: ${text}`, problems);
  }
  return {
    clock: options.clock ?? realClock,
    random: options.random ?? Math.random,
    mode: options.mode,
    naming: options.naming ?? "flat",
    approvalTimeoutMs: approval.ok ? approval.ms : 0,
    parallelStarts,
    handleSignals: options.handleSignals ?? true,
    containment: options.containment ?? "auto",
    network: options.network ?? true,
    logLevel: options.logging,
    home: resolveHome(options.home),
    transports: options.transports ?? {},
    remember: options.remember ?? true,
    stderr: options.stderr,
  };
}
