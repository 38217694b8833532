import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder of its own for one test, gone after it. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "mcpvisor-config-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file only its owner can read, text as it is, anything else as JSON. */
export async function put(file: string, content: unknown): Promise<string> {
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content, undefined, 2), {
    mode: 0o600,
  });
  return file;
}
