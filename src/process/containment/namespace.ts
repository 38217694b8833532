import { spawnSync } from "node:child_process";
import { which } from "../which.js";

/** All of the machine as it is, but a process namespace of its own that ends with the one who made it. */
const room = "--bind / / --dev-bind /dev /dev --proc /proc --unshare-pid --die-with-parent".split(" ");
const trialMs = 10_000;

type Answer = { readonly bwrap: string } | { readonly why: string };

const known = new Map<string, Answer>();

/**
 * The program that makes process namespaces (bubblewrap), if it is on PATH and may do it here, or why not. Tried once
 * per program: some 10 ms.
 */
export function namespaces(searchPath: string | undefined): Answer {
  const bwrap = process.platform === "linux" ? which("bwrap", searchPath) : undefined;
  if (bwrap === undefined) return { why: "the program bwrap (bubblewrap) was not found on PATH" };
  const answer = known.get(bwrap) ?? trial(bwrap);
  known.set(bwrap, answer);
  return answer;
}

/** The arguments that run a command in a namespace of its own. */
export function inNamespace(command: string, args: readonly string[]): readonly string[] {
  return [...room, "--", command, ...args];
}

function trial(bwrap: string): Answer {
  const { status, error, stderr } = spawnSync(bwrap, inNamespace("/bin/sh", ["-c", "exit 0"]), {
    stdio: ["ignore", "ignore", "pipe"],
    timeout: trialMs,
    encoding: "utf8",
  });
  if (status === 0) return { bwrap };
  const said = error?.message ?? (stderr.trim().split("\n")[0] || `exit code ${status}`);
  return { why: `${bwrap} does not work here: ${said}` };
}
