import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openLogFile, type LogFile } from "../../http/index.js";

/** Where the stderr of servers is kept. */
export function logFolder(home: string): string {
  return join(home, "logs");
}

/** The log of one server. */
export function logPath(home: string, id: string): string {
  return join(logFolder(home), `${id}.log`);
}

/** Ids of the servers that have a log. */
export function loggedServers(home: string): string[] {
  try {
    return readdirSync(logFolder(home)).flatMap((name) => /^(.*)\.log$/.exec(name)?.[1] ?? []);
  } catch {
    return [];
  }
}

/** Keeps what servers write to stderr, with times, one rotated file each. */
export function openServerLogs(home: string): { write(id: string, line: string): void; close(): void } {
  const files = new Map<string, LogFile>();
  return {
    write(id, line) {
      let file = files.get(id);
      if (file === undefined) files.set(id, (file = openLogFile(logPath(home, id), { files: 3 })));
      file.write(`${new Date().toISOString()} ${line}\n`);
    },
    close() {
      for (const file of files.values()) file.close();
    },
  };
}
