import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createLinux } from "../../src/process/platform/linux.js";
import { which } from "../../src/process/which.js";

/** podman with a storage of its own and an image made of this very Node. */
export interface Podman {
  /** Options in front of `run` that name the storage. */
  readonly globals: readonly string[];
  readonly env: Record<string, string>;
  readonly program: string;
  /** Arguments that run a server; `deaf` is one that does not end with its stdin, and as process 1 ignores TERM. */
  server(kind: "polite" | "deaf"): string[];
  /** A program of this name that does this in front of podman with our storage. */
  wrapper(name: string, shell: string): string;
  run(...args: string[]): string;
  /** The containers that podman still knows of. */
  list(): string[];
  /** What there is of containers by podman's own word: their process and the one that looks after it. */
  inspect(): Resident[];
  /** Every conmon and runc of our storage, and every process in a container of it, known to podman or not. */
  processes(): number[];
  remove(): void;
}

/** A process as `inspect` names it, with its start time. */
export interface Resident {
  readonly pid: number;
  readonly start: string;
}

const { look } = createLinux();

/** Those that still live, whatever podman's list says. */
export function stillThere(residents: readonly Resident[]): Resident[] {
  return residents.filter(({ pid, start }) => {
    const row = look(pid);
    return row?.start === start && !row.zombie;
  });
}

const programs = {
  polite: 'process.stdin.resume().on("end", () => process.exit()); console.log("ready")',
  deaf: 'setInterval(() => {}, 1000); process.stdin.resume(); console.log("ready")',
};

/** Why podman cannot run a container here, or podman. */
export function installPodman(): Podman | string {
  const program = which("podman", process.env["PATH"]);
  if (process.platform !== "linux" || program === undefined) return "podman is not installed";
  // podman takes no folder of more than 50 characters for what runs.
  const folder = mkdtempSync("/tmp/mcpvisor-p-");
  const conf = join(folder, "containers.conf");
  const runtime = which("crun", process.env["PATH"]) === undefined ? 'runtime="runc"' : 'runtime="crun"';
  const own = [
    "--root",
    join(folder, "root"),
    "--runroot",
    join(folder, "run"),
    "--tmpdir",
    join(folder, "tmp"),
  ];
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, CONTAINERS_CONF: conf };
  const podman: Podman = {
    globals: own,
    env,
    program,
    server: (kind) => ["run", "--rm", "-i", "node-self", process.execPath, "-e", programs[kind]],
    wrapper(name, shell) {
      const path = join(mkdtempSync(join(folder, "bin-")), name);
      writeFileSync(path, `#!/bin/sh\n${shell}\nexec ${program} ${own.join(" ")} "$@"\n`);
      chmodSync(path, 0o755);
      return path;
    },
    run: (...args) => execFileSync(program, [...own, ...args], { env, encoding: "utf8", stdio: "pipe" }),
    list: () => podman.run("ps", "--all", "--quiet").split("\n").filter(Boolean),
    inspect() {
      const ids = podman.list();
      const format = ["inspect", "--format", "{{.State.Pid}} {{.State.ConmonPid}}"];
      const told = ids.length === 0 ? "" : podman.run(...format, ...ids);
      return [...told.matchAll(/\d+/g)].flatMap(([pid]) => look(Number(pid)) ?? []);
    },
    processes() {
      const here = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
      const roots = new Set(here.filter((pid) => serves(pid, folder)).map(Number));
      const inside = here.map(Number).filter((pid) => roots.has(look(pid)?.ppid ?? 0));
      return [...roots, ...inside];
    },
    remove() {
      for (const { pid } of podman.inspect()) if (pid > 1) process.kill(pid, "SIGKILL");
      podman.run("rm", "--all", "--force", "--time", "0");
      podman.run("rmi", "--all", "--force");
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    // Limits and a network of their own are refused in some places where tests run.
    const limits = 'default_ulimits=["nofile=1024:1024","nproc=1024:1024"]';
    const engine = `[engine]\n${runtime}\ncgroup_manager="cgroupfs"\nevents_logger="file"\n`;
    writeFileSync(conf, `[containers]\n${limits}\nnetns="host"\n${engine}`);
    importNode(folder, podman);
    podman.run("run", "--rm", "node-self", process.execPath, "-e", "0");
    return podman;
  } catch (error) {
    const told = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error);
    rmSync(folder, { recursive: true, force: true });
    return `podman cannot run a container here: ${told}`;
  }
}

/** Whether this is a program of podman that was started for our storage. */
function serves(pid: string, folder: string): boolean {
  const isPodman = /conmon|runc|crun|podman/.test(textOf(`/proc/${pid}/comm`));
  return isPodman && textOf(`/proc/${pid}/cmdline`).includes(folder);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Gone in between.
    return "";
  }
}

function importNode(folder: string, podman: Podman): void {
  const files = execFileSync("ldd", [process.execPath], { encoding: "utf8" }).match(/\/[^\s)]+/g) ?? [];
  for (const file of [process.execPath, ...files]) {
    const to = join(folder, "image", file);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(file, to, { dereference: true });
  }
  mkdirSync(join(folder, "image/tmp"), { recursive: true });
  const tar = join(folder, "image.tar");
  execFileSync("tar", ["-C", join(folder, "image"), "-cf", tar, "."]);
  podman.run("import", tar, "node-self");
  rmSync(tar);
  rmSync(join(folder, "image"), { recursive: true });
}
