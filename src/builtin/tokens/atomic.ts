import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { realClock, sleep } from "../clock.js";

/**
 * Replaces a file so that whoever reads sees the old or the new text, never a part: temp file beside it (0600, created
 * exclusively), fsync, rename, fsync of the folder. The folder is made (0700) if it is missing.
 */
export async function writeAtomic(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temp = join(folder, `.${basename(path)}.${randomBytes(6).toString("hex")}`);
  try {
    const file = await open(temp, "wx", 0o600);
    try {
      await file.writeFile(text, "utf8");
      await file.sync();
    } finally {
      await file.close();
    }
    // The umask can only take rights away; chmod makes 0600 certain.
    await chmod(temp, 0o600);
    await replace(temp, path);
  } catch (error) {
    await rm(temp, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Windows refuses to replace a file that somebody reads at that moment; it is free again soon. */
async function replace(temp: string, path: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await rename(temp, path);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "";
      if (process.platform !== "win32" || attempt === 10 || !["EPERM", "EBUSY", "EACCES"].includes(code))
        throw error;
      await sleep(realClock, 20 * attempt);
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
