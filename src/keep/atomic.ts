import { randomBytes } from "node:crypto";
import { link, mkdir, open, readdir, readlink, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isAlive } from "./owner.js";

/**
 * Replaces a file as a whole: a temporary file beside it (created exclusively, mode 0600 unless told otherwise),
 * fsync, rename, fsync of the folder. Ended at any point, the old or the new text is there, never a part. A symbolic
 * link stays one; what it points to is replaced. A missing folder is made (0700). `fence` is called last before the
 * file is replaced; when it throws, nothing is.
 */
export async function writeAtomic(
  file: string,
  text: string,
  mode = 0o600,
  fence: () => void = () => undefined,
): Promise<void> {
  const target = await realpath(file).catch(() => refuseDangling(file));
  const folder = dirname(target);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeftovers(folder, basename(target));
  const temporary = temporaryFor(target);
  try {
    await writeDurably(temporary, text, mode);
    fence();
    await renamePatiently(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/**
 * Makes a file that must be the first's who comes (mode 0600); false when it is there already. Whoever sees it sees all
 * of it.
 */
export async function createOnce(file: string, text: string): Promise<boolean> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = temporaryFor(file);
  try {
    await writeDurably(temporary, text, 0o600);
    await link(temporary, file);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (code === "EEXIST") return false;
    // File systems without hard links: the text comes a moment after the name.
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(code)) throw error;
    return createPlainly(file, text);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function createPlainly(file: string, text: string): Promise<boolean> {
  try {
    await writeDurably(file, text, 0o600);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function writeDurably(file: string, text: string, mode: number): Promise<void> {
  const handle = await open(file, "wx", mode);
  try {
    // The process's umask may have taken bits away.
    await handle.chmod(mode);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function temporaryFor(target: string): string {
  const unique = `${process.pid}.${randomBytes(6).toString("hex")}`;
  return join(dirname(target), `.${basename(target)}.${unique}.tmp`);
}

/** A link that leads nowhere must not become a file of its own: what it should point to would go stale. */
async function refuseDangling(file: string): Promise<string> {
  const target = await readlink(file).catch(() => undefined);
  if (target === undefined) return file;
  throw new Error(`${file} is a link to ${target}, which does not exist; make that file, or remove the link`);
}

/** Windows lets nobody replace a file that a virus scanner or indexer just reads: that is over in a moment. */
async function renamePatiently(from: string, to: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "";
      if (process.platform !== "win32" || attempt >= 50 || !["EPERM", "EBUSY", "EACCES"].includes(code))
        throw error;
    }
  }
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return; // folders cannot be opened there
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Temporary files of processes that were killed while they wrote. */
async function removeLeftovers(folder: string, name: string): Promise<void> {
  for (const each of await readdir(folder)) {
    if (!each.startsWith(`.${name}.`) || !each.endsWith(".tmp")) continue;
    const pid = Number(each.slice(name.length + 2).split(".")[0]);
    if (Number.isSafeInteger(pid) && pid > 0 && !isAlive(pid)) await rm(join(folder, each), { force: true });
  }
}
