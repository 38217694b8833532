import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Writes the folder that the demo's file server may read; returns its path. */
export async function writeSamples(home: string): Promise<string> {
  const folder = join(home, "files");
  await mkdir(folder);
  await writeFile(join(folder, "welcome.txt"), welcome);
  await writeFile(join(folder, "notes.md"), notes);
  return folder;
}

const welcome = `Welcome to mcpvisor.

This folder is what the file server of the demo may read.
`;

const notes = `# Notes

- A server that dies is started again by the next call that needs it.
- A call that was sent is never sent twice.
`;
