/** A process for certain: a pid alone may have been given to another one. `start` is opaque text. */
export interface Identity {
  readonly pid: number;
  readonly start: string;
}

/** One process as the system lists it; what the system cannot tell is 0 or empty. */
export interface ProcessRow extends Identity {
  readonly ppid: number;
  readonly pgid: number;
  /** Session id; 0 where it cannot be told. */
  readonly sid: number;
  /** Short name of the program. */
  readonly name: string;
  /** Dead already, only its parent has not noticed. */
  readonly zombie: boolean;
}

export type TreeSignal = "SIGTERM" | "SIGKILL" | "SIGSTOP" | "SIGCONT";

/** How a process ended: one of the two is set. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Processes of containers, as far as they run on this machine and the system lets them be known for certain. */
export interface ContainerProcesses {
  readonly inside: readonly ProcessRow[];
  /** Who looks after a container and ends after it (podman's conmon, containerd's shim). */
  readonly keepers: readonly ProcessRow[];
}

/** What the engine needs of an operating system to find and end processes; injected in tests. */
export interface Platform {
  readonly name: "linux" | "posix" | "windows";
  /**
   * Shows every process, newest first as far as known, each as soon as it is read. Where a look takes time, who was born
   * meanwhile is shown as long as `more` says that it matters.
   */
  scan(visit: (row: ProcessRow) => void, more: () => boolean): void | Promise<void>;
  /** A scan that does not wait, for the moment in which the host exits. */
  scanNow(visit: (row: ProcessRow) => void, more: () => boolean): void;
  /** The process behind a pid now; undefined when there is none. May start a program where `looks` is false. */
  readonly look: (pid: number) => ProcessRow | undefined;
  /** Whether `look` is cheap enough to be sure of a pid before every signal. */
  readonly looks: boolean;
  /** Whether there is a polite signal between the end of stdin and the kill. */
  readonly terminates: boolean;
  /**
   * How a child of ours ended that is dead and that Node has not told of yet; undefined while it lives, and when that
   * cannot be told for certain.
   */
  exitOf(pid: number): ProcessExit | undefined;
  /** Whether one start time is earlier than another, for certain. */
  startedBefore(start: string, other: string): boolean;
  /** Value of our run marker in the environment the process was started with; undefined when unreadable. */
  marker(row: ProcessRow): string | undefined;
  /** Names of what stands behind fds 0-2, such as `pipe:[4711]`; empty when unreadable. */
  stdio(pid: number): readonly string[];
  /** Who belongs to the containers with these ids; nobody where that cannot be told. */
  containerProcesses(ids: readonly string[]): ContainerProcesses;
  /** False when there was no such process or group. */
  signal(pid: number, signal: TreeSignal): boolean;
  signalGroup(pgid: number, signal: TreeSignal): boolean;
  /** Whether a process runs as our user, for certain. */
  isOurs(pid: number): boolean;
  /** Boot and process namespace: pids that were written down under another one say nothing. */
  bootId(): string;
}
