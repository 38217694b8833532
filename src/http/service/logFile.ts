import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  writeSync,
} from "node:fs";
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
 * be opened, and when it is a link, somebody else's, or no plain file.
 */
export function openLogFile(
  path: string,
  { bytes = 5 * 1024 * 1024, files = 5 }: LogFileOptions = {},
): LogFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let file = openOwn(path);
  let size = fstatSync(file).size;
  return {
    write(line) {
      try {
        const length = Buffer.byteLength(line);
        if (size > 0 && size + length > bytes) {
          closeSync(file);
          shift(path, files);
          file = openOwn(path);
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

/** Opens for appending what is ours; a link is not followed, and what others could read of ours they cannot any more. */
function openOwn(path: string): number {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let file: number;
  try {
    // Without NONBLOCK opening a named pipe would wait for a reader for ever.
    file = openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ELOOP" || code === "ENXIO")
      throw new Error(`${path} is no plain file; choose another for the log`, { cause: error });
    throw error;
  }
  const found = fstatSync(file);
  const me = process.getuid?.();
  const problem = !found.isFile()
    ? "is no plain file"
    : me !== undefined && found.uid !== me
      ? "belongs to another user"
      : undefined;
  if (problem !== undefined) {
    closeSync(file);
    throw new Error(`${path} ${problem}; choose another for the log`);
  }
  if (process.platform !== "win32" && (found.mode & 0o077) !== 0) fchmodSync(file, 0o600);
  return file;
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
