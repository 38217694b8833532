import { basename } from "node:path";
import { markerName } from "../marker.js";

/** A container engine as one command line speaks to it, so that it can be asked again about what it runs. */
export interface Engine {
  readonly program: string;
  /** Options in front of `run` (`--context x`): they name the engine, too. */
  readonly globals: readonly string[];
  /** Names the engine that is meant (`DOCKER_HOST`, `HOME`). */
  readonly env: Readonly<Record<string, string>>;
}

/** A command line that runs a container under our labels. */
export interface ContainerRun {
  readonly args: readonly string[];
  readonly globals: readonly string[];
}

const engines: ReadonlySet<string> = new Set(["docker", "podman", "podman-remote", "nerdctl"]);

/** Options in front of `run` that have their value in the next argument. */
const valued: ReadonlySet<string> = new Set(
  (
    "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey " +
    "--url --connection --identity --ssh --root --runroot --imagestore --storage-driver --storage-opt --tmpdir " +
    "--volumepath --cgroup-manager --conmon --events-backend --hooks-dir --module --network-cmd-path " +
    "--network-config-dir --out --registries-conf --runtime --runtime-flag " +
    "-n --namespace -a --address --snapshotter --cni-path --cni-netconfpath --data-root --hosts-dir --bridge-ip " +
    "--host-gateway-ip"
  ).split(" "),
);

/** What a client reads to find its engine; addresses and paths, no secrets. */
const naming = (
  "PATH HOME DOCKER_HOST DOCKER_CONTEXT DOCKER_CONFIG DOCKER_CERT_PATH DOCKER_TLS_VERIFY CONTAINER_HOST " +
  "CONTAINER_CONNECTION CONTAINER_SSHKEY CONTAINERS_CONF CONTAINERS_STORAGE_CONF STORAGE_DRIVER XDG_RUNTIME_DIR " +
  "XDG_CONFIG_HOME XDG_DATA_HOME CONTAINERD_ADDRESS CONTAINERD_NAMESPACE NERDCTL_TOML"
).split(" ");

/** The part of an environment that names an engine. */
export function engineEnv(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    naming.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Label of everything that a run has started, and of one life of one server. */
export const runLabel = (run: string): string => `mcpvisor.run=${run}`;
export const lifeLabel = (mark: string): string => `mcpvisor.life=${mark}`;

/**
 * The arguments of a command that runs a container, with our labels, by which its engine finds it again, and our marker,
 * by which we find its processes ourselves where they run on this machine: ending the client does not end them.
 * Undefined for every other command. `mark` is that of the life.
 */
export function labelledRun(
  command: string,
  args: readonly string[],
  mark: string,
): ContainerRun | undefined {
  const isEngine = engines.has(basename(command).replace(/\.exe$/i, ""));
  const at = isEngine ? placeOfRun(args) : undefined;
  if (at === undefined) return undefined;
  const labels = [runLabel(mark.slice(0, mark.indexOf("."))), lifeLabel(mark)];
  // The name alone: the client passes on the value that it has in its own environment.
  const ours = [...labels.flatMap((label) => ["--label", label]), "--env", markerName];
  const before = args.slice(0, at - 1);
  return {
    args: [...args.slice(0, at), ...ours, ...args.slice(at)],
    globals: before.at(-1) === "container" ? before.slice(0, -1) : before,
  };
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

/**
 * An engine as one word for the watchdog's shell: the words of its command line, divided by bars. The shell itself can
 * only use words without blanks, bars and percent signs; the program that it starts reads all.
 */
export function engineWord({ program, globals, env }: Engine): string {
  const names = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return ["env", ...names, program, ...globals]
    .map((word) => word.replaceAll(/[%|\s]/g, (each) => encodeURIComponent(each).replace("|", "%7C")))
    .join("|");
}

/** Reads what `engineWord` has written. */
export function readEngineWord(word: string): Engine {
  const words = word.split("|").map(decodeURIComponent).slice(1);
  const at = words.findIndex((each) => !/^[A-Z_]+=/.test(each));
  const env = words.slice(0, at).map((each) => {
    const equals = each.indexOf("=");
    return [each.slice(0, equals), each.slice(equals + 1)] as const;
  });
  return { program: words[at] ?? "", globals: words.slice(at + 1), env: Object.fromEntries(env) };
}
