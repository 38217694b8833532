import { chmod, lstat, unlink } from "node:fs/promises";
import { connect, type Server } from "node:net";
import { dirname } from "node:path";
import { isMainThread } from "node:worker_threads";
import { ownFolder } from "../../keep/private.js";

/** Listens on a TCP address; resolves with the port that was taken. */
export async function listenTcp(server: Server, host: string, port: number): Promise<number> {
  await listening(server, () => server.listen({ host, port, exclusive: true }));
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error(`${host}:${port} is not a TCP address`);
  return address.port;
}

/**
 * Listens on a unix socket of mode 0600. Its folder is made (0700) when it is not there; one that is there must be ours and
 * not writable by others, and stays as it is. A socket left behind is removed only when it is ours and nobody answers on it.
 */
export async function listenSocket(server: Server, path: string): Promise<void> {
  await ownFolder(dirname(path));
  await removeStale(path);
  await listening(server, () => maskedBind(() => server.listen({ path })));
  await chmod(path, 0o600);
}

/** A socket is bound within the call, so that nobody else can open it even for a moment. Threads cannot set the mask. */
function maskedBind(bind: () => void): void {
  if (!isMainThread) return bind();
  const before = process.umask(0o177);
  try {
    bind();
  } finally {
    process.umask(before);
  }
}

async function removeStale(path: string): Promise<void> {
  const stat = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (stat === undefined) return;
  const ours = process.getuid === undefined || stat.uid === process.getuid();
  if (!stat.isSocket() || !ours) throw new Error(`${path} is not a socket of ours; choose another path`);
  if (await answers(path)) throw new Error(`${path}: another program listens on this socket`);
  await unlink(path);
}

async function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

async function listening(server: Server, listen: () => void): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", () => {
      server.off("error", reject);
      resolve();
    });
    listen();
  });
}
