import { execFile } from "node:child_process";
import { basename } from "node:path";

/** Where the containers of a life, or of all lives of a run, are looked for. */
export interface ContainerSearch {
  readonly program: string;
  readonly label: string;
  /** Names the engine that is meant (`DOCKER_HOST`, `HOME`). */
  readonly env: NodeJS.ProcessEnv;
}

const engines: ReadonlySet<string> = new Set(["docker", "podman", "nerdctl"]);
/** Options in front of `run` that have their value in the next argument. */
const valued: ReadonlySet<string> = new Set(
  "-H --host -c --context --config -l --log-level --url --connection -n --namespace -a --address".split(" "),
);
const answerMs = 10_000;

/** Label of everything that a run has started, and of one life of one server. */
export const runLabel = (run: string): string => `mcpvisor.run=${run}`;
export const lifeLabel = (mark: string): string => `mcpvisor.life=${mark}`;

/**
 * The arguments of a command that runs a container, with our labels, by which the container is found again: ending the
 * client does not end it. Undefined for every other command. `mark` is that of the life.
 */
export function labelledRun(
  command: string,
  args: readonly string[],
  mark: string,
): readonly string[] | undefined {
  const isEngine = engines.has(basename(command).replace(/\.exe$/i, ""));
  const at = isEngine ? placeOfRun(args) : undefined;
  if (at === undefined) return undefined;
  const labels = [runLabel(mark.slice(0, mark.indexOf("."))), lifeLabel(mark)];
  return [...args.slice(0, at), ...labels.flatMap((label) => ["--label", label]), ...args.slice(at)];
}

/** Index behind `run`, or behind `container run`; undefined for another command of the engine. */
function placeOfRun(args: readonly string[]): number | undefined {
  for (let at = 0; at < args.length; at++) {
    const each = args[at] ?? "";
    if (valued.has(each)) at++;
    else if (each === "run") return at + 1;
    else if (!each.startsWith("-") && each !== "container") return undefined;
  }
  return undefined;
}

/** Ends and removes the containers with this label; false when the engine could not be asked. Never rejects. */
export async function endContainers({ program, label, env }: ContainerSearch): Promise<boolean> {
  const list = await ask(program, ["ps", "--all", "--quiet", "--filter", `label=${label}`], env);
  if (list === undefined) return false;
  const ids = list.split(/\s+/).filter((id) => /^[0-9a-f]+$/.test(id));
  return ids.length === 0 || (await ask(program, ["rm", "--force", ...ids], env)) !== undefined;
}

function ask(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { env, timeout: answerMs, killSignal: "SIGKILL", windowsHide: true } as const;
    execFile(program, args, options, (error, stdout) => resolve(error === null ? stdout : undefined));
  });
}
