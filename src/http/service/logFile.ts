import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { pino } from "pino";
import type { Logger } from "../../index.js";
import { escapeJson } from "../../hiddenText.js";

/** How large a log may grow; both may be left out. */
export interface LogFileOptions {
  /** Bytes of one file. Default: 5 MiB. */
  readonly bytes?: number;
  /** Files kept, the present one counted. Default: 5. */
  readonly files?: number;
}

/** A destination for pino. */
export interface LogFile {
  /** Appends a line at once; never throws. */
  write(line: string): void;
  /** Closes the file. */
  close(): void;
}

/**
 * A log file of mode 0600 that never grows beyond `files` × `bytes`: `x.log` becomes `x.log.1`, that `x.log.2` … A
 * full disk loses lines, not the program. Each line is written at once, so a crash loses none. Throws when the file cannot
 * be opened.
 */
export function openLogFile(
  path: string,
  { bytes = 5 * 1024 * 1024, files = 5 }: LogFileOptions = {},
): LogFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let file = openSync(path, "a", 0o600);
  let size = fstatSync(file).size;
  return {
    write(line) {
      try {
        const length = Buffer.byteLength(line);
        if (size > 0 && size + length > bytes) {
          closeSync(file);
          shift(path, files);
          file = openSync(path, "a", 0o600);
          size = fstatSync(file).size;
        }
        size += writeSync(file, line);
      } catch {
        // No space or no right to write any more: supervision is worth more than its log.
      }
    },
    close: () => closeSync(file),
  };
}

/**
 * A pino logger for `createSupervisor({ logger })`: to a rotated file, or to stderr without one. `level` is the least level
 * that is written, `info` by default.
 */
export function createLogger(options: { level?: string; file?: LogFile } = {}): Logger {
  const { level = "info", file } = options;
  const lines = file ?? pino.destination({ dest: 2, sync: true });
  return pino({ level, base: null }, { write: (line) => void lines.write(escapeJson(line)) });
}

function shift(path: string, files: number): void {
  for (let at = files - 1; at >= 1; at--) {
    try {
      renameSync(at === 1 ? path : `${path}.${at - 1}`, `${path}.${at}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}
