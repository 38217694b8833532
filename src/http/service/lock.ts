import { randomBytes } from "node:crypto";
import { link, rename, unlink, writeFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { isRunning, startOf } from "../../keep/owner.js";
import { ownFolder, readOwn } from "../../keep/private.js";
import { isLoopback } from "../guard/loopback.js";

/** What a running service says about itself in `<home>/service.json`. */
export interface ServiceInfo {
  /** Its process id; 0 when it is not known. */
  readonly pid: number;
  /** Start of the process as the system tells it; with the pid it names one process for good. Empty if unknown. */
  readonly processStart: string;
  /** When it began, in epoch ms. */
  readonly startedAt: number;
  /** Where it listens, such as `http://127.0.0.1:7420`; absent on a unix socket, and before it listens. */
  readonly url?: string;
  /** Path of its unix socket, if it listens on one. */
  readonly socket?: string;
}

/** Thrown when a service runs for this state folder already; `running` says where. */
export class ServiceRunningError extends Error {
  /** Always `ServiceRunningError`. */
  override readonly name = "ServiceRunningError";
  /** Always `SERVICE_RUNNING`. */
  readonly code = "SERVICE_RUNNING";
  /** The service that runs. */
  readonly running: ServiceInfo;
  /** `running` is the service that runs, `home` the state folder it runs for. */
  constructor(running: ServiceInfo, home: string) {
    const where = running.url ?? running.socket ?? "an address it has not told yet";
    super(
      `a service for ${home} runs already: ${where} (process ${running.pid}); stop it or use another state folder`,
    );
    this.running = running;
  }
}

/** One service per state folder. */
export interface ServiceLock {
  /** Tells where the service listens, once it does. */
  tell(address: { url?: string; socket?: string }): Promise<void>;
  release(): Promise<void>;
}

export function lockPath(home: string): string {
  return join(home, "service.json");
}

/** Takes the lock, also from a service that died without giving it back. Rejects with ServiceRunningError. */
export async function acquireLock(home: string, startedAt: number): Promise<ServiceLock> {
  await ownFolder(home);
  const path = lockPath(home);
  const info: ServiceInfo = { pid: process.pid, processStart: startOf(process.pid), startedAt };
  if (!(await create(path, info))) {
    await clearDead(path, home);
    if (!(await create(path, info))) throw await runningError(home);
  }
  return {
    async tell(address) {
      const next = `${path}.${randomBytes(6).toString("hex")}`;
      await writeFile(next, text({ ...info, ...address }), { flag: "wx", mode: 0o600 });
      await rename(next, path);
    },
    async release() {
      const held = await readLock(home);
      if (held?.pid === info.pid && held.startedAt === info.startedAt) await unlink(path);
    },
  };
}

/**
 * The running service of a state folder; undefined when there is none or only the file of a dead one. Rejects when somebody
 * else can have written that file: our token would go to the address in it.
 */
export async function findService(home: string): Promise<ServiceInfo | undefined> {
  const info = await readLock(home);
  return info !== undefined && isRunning(info.pid, info.processStart) ? info : undefined;
}

async function create(path: string, info: ServiceInfo): Promise<boolean> {
  try {
    await writeFile(path, text(info), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Moves the file away before looking at it again: of two that find it dead, one cannot remove the other's new one. */
async function clearDead(path: string, home: string): Promise<void> {
  if ((await findService(home)) !== undefined) throw await runningError(home);
  const aside = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  const moved = parse((await readOwn(aside)) ?? "");
  if (moved !== undefined && isRunning(moved.pid, moved.processStart)) {
    await link(aside, path);
    await unlink(aside);
    throw new ServiceRunningError(moved, home);
  }
  await unlink(aside);
}

async function runningError(home: string): Promise<ServiceRunningError> {
  const unknown: ServiceInfo = { pid: 0, processStart: "", startedAt: 0 };
  return new ServiceRunningError((await readLock(home)) ?? unknown, home);
}

async function readLock(home: string): Promise<ServiceInfo | undefined> {
  const json = await readOwn(lockPath(home));
  return json === undefined ? undefined : parse(json);
}

function parse(json: string): ServiceInfo | undefined {
  try {
    const { url, socket, ...info } = JSON.parse(json) as ServiceInfo;
    if (!Number.isInteger(info.pid) || info.pid <= 0) return undefined;
    // The token goes to no other machine, whatever a file says.
    return {
      ...info,
      ...(typeof url === "string" && isLoopback(url) ? { url } : {}),
      ...(typeof socket === "string" && isAbsolute(socket) ? { socket } : {}),
    };
  } catch {
    // Half a file is the file of one that died while writing it.
    return undefined;
  }
}

function text(info: ServiceInfo): string {
  return `${JSON.stringify(info, null, 2)}\n`;
}
