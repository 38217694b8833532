import type { AccountOverview } from "../../auth/standalone.js";
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { loadFleet, settingsSection } from "../../config/index.js";
import type { LoadedFleet, ServerSpec } from "../../config/index.js";
import { childEnvironment, doctorFacts, which } from "../../doctor.js";
import type { DoctorFacts } from "../../doctor.js";
import type { StoredConsumers } from "../../gateway/index.js";
import type { ServerStatus } from "../../index.js";
import type { Context } from "../context/context.js";
import { homeOf } from "../context/home.js";
import { version } from "../../version.js";
import { wait } from "../context/wait.js";

/** One configured server as it would be started now. */
export interface ServerCheck {
  readonly spec: ServerSpec;
  /** Names of our variables that it does not get, and of its own that were dropped; empty for servers with a URL. */
  readonly removed: readonly string[];
  readonly dropped: readonly string[];
  /** Why it cannot start, where that can be told without starting it. */
  readonly missing?: "command" | "cwd";
}

/** Everything that was looked at; looking starts and changes nothing. */
export interface Checkup {
  readonly versions: { readonly mcpvisor: string; readonly node: string; readonly platform: string };
  readonly home: string;
  /** Others may write into the state folder. */
  readonly homeIsOpen: boolean;
  readonly service: {
    readonly state: "running" | "silent" | "dead" | "none";
    readonly pid?: number;
    readonly address?: string;
    /** Its servers, when it answers. */
    readonly servers: readonly ServerStatus[];
  };
  readonly processes: DoctorFacts;
  readonly fleet: LoadedFleet;
  readonly servers: readonly ServerCheck[];
  /** Accounts of the remote servers that are switched on, and whether a keyring can be had here. */
  readonly accounts: { readonly list: readonly AccountOverview[]; readonly keyring: boolean };
  /** Who may use the gateway. */
  readonly consumers: Pick<StoredConsumers, "records" | "problems" | "unnamed">;
}

/** Looks at everything at once; under a second, but for a service that is slow to answer (1 s more). */
export async function lookAtEverything(
  context: Context,
  flags: { readonly home?: string; readonly workspace?: string },
): Promise<Checkup> {
  const home = homeOf(context, flags);
  const [processes, fleet, service, consumers] = await Promise.all([
    doctorFacts(home),
    loadFleet({ home, workspace: resolve(flags.workspace ?? "."), discover: true }),
    lookAtService(context, home),
    lookAtConsumers(home),
  ]);
  return {
    versions: {
      mcpvisor: version,
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
    },
    home,
    homeIsOpen:
      process.platform !== "win32" && ((statSync(home, { throwIfNoEntry: false })?.mode ?? 0) & 0o022) !== 0,
    service,
    processes,
    fleet,
    servers: fleet.specs.map((spec) => lookAtServer(spec, context.env)),
    accounts: await lookAtAccounts(home, fleet.specs),
    consumers,
  };
}

async function lookAtService(context: Context, home: string): Promise<Checkup["service"]> {
  const { findService, lockPath } = await import("../../http/service/lock.js");
  const info = await findService(home);
  if (info === undefined) return { state: existsSync(lockPath(home)) ? "dead" : "none", servers: [] };
  const address = info.url ?? info.socket;
  const about = { pid: info.pid, ...(address === undefined ? {} : { address }) };
  const servers = await askService(context, home);
  return servers === undefined
    ? { state: "silent", ...about, servers: [] }
    : { state: "running", ...about, servers };
}

async function askService(context: Context, home: string): Promise<readonly ServerStatus[] | undefined> {
  const patience = new AbortController();
  // That it does not answer is the finding; why, the service's own log tells.
  const client = await context.findService(home).catch(() => undefined);
  try {
    return await Promise.race([
      client?.servers().catch(() => undefined),
      wait(1000, patience.signal).then(() => undefined),
    ]);
  } finally {
    patience.abort();
    client?.close();
  }
}

function lookAtServer(spec: ServerSpec, env: Context["env"]): ServerCheck {
  const { target } = spec;
  if (target.kind !== "stdio") return { spec, removed: [], dropped: [] };
  const child = childEnvironment(env, { ...spec, target }, process.platform);
  const { removed, dropped } = child;
  if (target.cwd !== undefined && !existsSync(target.cwd)) return { spec, removed, dropped, missing: "cwd" };
  // Windows tries the endings of PATHEXT as well; the launch itself knows how.
  const found =
    process.platform === "win32" || which(target.command, child.env["PATH"], target.cwd) !== undefined;
  return { spec, removed, dropped, ...(found ? {} : { missing: "command" as const }) };
}

/** Reads the open part of each account's file; no key is asked for. */
async function lookAtAccounts(home: string, specs: readonly ServerSpec[]): Promise<Checkup["accounts"]> {
  const { authorizedServer, hasKeyring, overviewOf } = await import("../../auth/standalone.js");
  const servers = specs.flatMap((spec) => (spec.enabled ? (authorizedServer(spec) ?? []) : []));
  const list = await Promise.all(servers.map((server) => overviewOf(home, server)));
  return { list, keyring: list.length > 0 && (await hasKeyring()) };
}

/** The consumers of a state folder; a file that cannot be read is a problem, not the end of the checkup. */
async function lookAtConsumers(home: string): Promise<Checkup["consumers"]> {
  const { isGatewayOn, loadConsumers, readSection } = await import("../../gateway/index.js");
  try {
    const settings = await settingsSection(home, "gateway");
    const stored = await loadConsumers(home);
    const { records, unnamed, problems } = readSection(settings, stored.records);
    const off = isGatewayOn(settings)
      ? []
      : ["the gateway is switched off (gateway.enabled in settings.json)"];
    return {
      records,
      unnamed: unnamed === "none" ? undefined : (unnamed ?? stored.unnamed),
      problems: [...stored.problems, ...problems, ...off],
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { unnamed: undefined, records: [], problems: [message] };
  }
}
