import { resolve } from "node:path";
import type { Logger, PermissionMode, SupervisorOptions } from "../../index.js";
import { escapeJson } from "../../hiddenText.js";
import { UsageError } from "./exitCodes.js";

/** What every command that runs a fleet accepts, as the parser hands it over. */
export interface FleetFlags {
  readonly config?: readonly string[];
  readonly mode?: string;
  readonly home?: string;
  readonly workspace?: string;
  readonly network?: boolean;
  readonly naming?: string;
  readonly log?: string;
  readonly json?: boolean;
  /** Run a fleet of its own even when a service runs. */
  readonly alone?: boolean;
  /** How long to wait for the servers to become ready. */
  readonly wait?: string;
}

const everyMode: Record<PermissionMode, true> = {
  ask: true,
  "allow-reads": true,
  "allow-all": true,
  "allow-trusted": true,
};
/** What `--mode` takes: every mode that the library knows. */
export const modes = Object.keys(everyMode) as PermissionMode[];
const levels = ["debug", "info", "warn", "error"];

/** Flags as options of a supervisor. Without --config the usual files are looked for. */
export async function supervisorOptions(flags: FleetFlags): Promise<SupervisorOptions> {
  const files = flags.config ?? [];
  const logger = flags.log === undefined ? undefined : await openLogger(oneOf("--log", flags.log, levels));
  return {
    ...(files.length > 0 ? { configFiles: files.map((file) => resolve(file)) } : { discover: true }),
    ...(flags.mode === undefined ? {} : { mode: oneOf("--mode", flags.mode, modes) }),
    ...(flags.naming === undefined
      ? {}
      : { naming: oneOf("--naming", flags.naming, ["flat", "scoped"] as const) }),
    ...(flags.home === undefined ? {} : { home: resolve(flags.home) }),
    workspace: resolve(flags.workspace ?? "."),
    ...(flags.network === false ? { network: false } : {}),
    ...(logger === undefined ? {} : { logger }),
  };
}

/** `500` (milliseconds), `500ms`, `5s`, `2m` or `1h30m` in milliseconds. */
export function durationMs(flag: string, text: string): number {
  const parts = [...text.trim().matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  const complete = parts.map((part) => part[0]).join("") === text.trim();
  if (/^\d+$/.test(text.trim())) return Number(text);
  if (parts.length === 0 || !complete) {
    throw new UsageError(`${flag} "${text}" is not a duration; write for example 500ms, 5s, 2m or 1h30m`);
  }
  const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
  return parts.reduce((total, part) => total + Number(part[1]) * (units[part[2] ?? ""] ?? 0), 0);
}

function oneOf<T extends string>(flag: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === value);
  if (found === undefined)
    throw new UsageError(`${flag} "${value}" is not known; choose one of ${allowed.join(", ")}`);
  return found;
}

/** NDJSON on stderr; stdout belongs to data. */
async function openLogger(level: string): Promise<Logger> {
  const { pino } = await import("pino");
  const stderr = pino.destination({ dest: 2, sync: true });
  // A terminal may be what reads it.
  const logger: Logger = pino({ level, base: null }, { write: (line) => stderr.write(escapeJson(line)) });
  return logger;
}
