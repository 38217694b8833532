// Runs one acceptance program in a group of processes and a temporary folder of its own, and leaves neither behind.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** How long a program may take: the longest needs 100 s on a quiet machine. */
const limitMs = 240_000;

/** Runs `program` against the package at `root`; resolves with its output, however it ends. */
export function runCase(program, root) {
  const folder = mkdtempSync(join(tmpdir(), "mv-case-"));
  // A program of another user, as one of the cases starts it, must be able to pass through to its own folder.
  chmodSync(folder, 0o711);
  const child = spawn(process.execPath, [program], {
    cwd: folder,
    env: { ...process.env, MCPVISOR: root, TMPDIR: folder },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const stop = () => killGroup(child.pid);
  process.once("exit", stop);
  return new Promise((done) => {
    let output = "";
    let errors = "";
    let isLate = false;
    child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (errors += text));
    const timer = setTimeout(() => {
      isLate = true;
      stop();
    }, limitMs);
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      // What it started and did not end would hold its pipes open.
      stop();
      child.once("close", () => {
        process.off("exit", stop);
        remove(folder);
        done({ output, errors, code: isLate ? undefined : (code ?? signal) });
      });
    });
  });
}

function killGroup(pid) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing of it is left.
  }
}

function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // A file system that an ended program had mounted inside.
    spawnSync("sh", ["-c", 'umount "$0"/* 2>/dev/null', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}
