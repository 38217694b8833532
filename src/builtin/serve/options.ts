import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parseBaseUrl } from "../client/url.js";
import { isServiceId, type ServiceId } from "../contract/ids.js";
import { type Env, urlVariable } from "../tokens/env.js";

/** What a built-in server was started with. */
export interface ServeOptions {
  readonly home: string;
  /** Services whose tools are offered. */
  readonly services: readonly ServiceId[];
  /** Base addresses that replace the public ones. */
  readonly urls: Partial<Record<ServiceId, string>>;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly help: boolean;
}

/** Thrown for a command line that makes no sense. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

const DEFAULT_TIMEOUT_S = 20;
const DEFAULT_MAX_BYTES = 4 * 1024 * 1024;

/** Reads `--home --services a,b --<service>-url --timeout seconds --max-bytes n`; variables fill what is missing. */
export function parseServeOptions(
  argv: readonly string[],
  env: Env,
  known: readonly ServiceId[],
): ServeOptions {
  const values = readArgs(argv, known);
  const services = values["services"] === undefined ? known : parseServices(values["services"], known);
  const urls: Partial<Record<ServiceId, string>> = {};
  for (const id of known) {
    const url = values[`${id}-url`] ?? env[urlVariable(id)];
    if (url !== undefined && url !== "") urls[id] = parseBaseUrl(url);
  }
  return {
    home: values["home"] ?? env["MCPVISOR_HOME"] ?? join(homedir(), ".mcpvisor"),
    services,
    urls,
    timeoutMs: positive("timeout", values["timeout"], DEFAULT_TIMEOUT_S) * 1000,
    maxBytes: positive("max-bytes", values["max-bytes"], DEFAULT_MAX_BYTES),
    help: values["help"] === "true",
  };
}

function readArgs(argv: readonly string[], known: readonly ServiceId[]): Record<string, string | undefined> {
  const texts = ["home", "services", "timeout", "max-bytes", ...known.map((id) => `${id}-url`)];
  const options = Object.fromEntries(texts.map((name) => [name, { type: "string" as const }]));
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { ...options, help: { type: "boolean", short: "h" } },
    });
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  } catch (error) {
    throw new UsageError(`${(error as Error).message} (see --help)`, { cause: error });
  }
}

function parseServices(text: string, known: readonly ServiceId[]): ServiceId[] {
  const names = text
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean);
  const wrong = names.filter((name) => !isServiceId(name) || !known.includes(name));
  if (wrong.length > 0)
    throw new UsageError(`--services: "${wrong.join(", ")}" is not one of ${known.join(", ")}`);
  return known.filter((id) => names.includes(id));
}

function positive(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new UsageError(`--${name}: "${text}" is not a number above 0`);
}
