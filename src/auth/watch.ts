import { type FSWatcher, mkdirSync, watch } from "node:fs";
import type { Clock, TimerId } from "../clock.js";

const everyMs = 5000;
const settleMs = 50;

/** Looks whenever a file of a folder changes, and every 5 s, as long as `look` says that somebody waits. */
export class Watch {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #look: () => Promise<boolean>;
  #watcher: FSWatcher | undefined;
  #timer: TimerId;
  #isRunning = false;
  #isClosed = false;

  constructor(folder: string, clock: Clock, look: () => Promise<boolean>) {
    this.#folder = folder;
    this.#clock = clock;
    this.#look = look;
  }

  start(): void {
    if (this.#isRunning || this.#isClosed) return;
    this.#isRunning = true;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      this.#watcher = watch(this.#folder, { persistent: false }, () => this.#plan(settleMs));
      // A folder that goes away is looked at by the clock alone.
      this.#watcher.on("error", () => this.#watcher?.close());
    } catch {
      // No watching here (a limit of the system, a read-only home): the clock has to do.
      this.#watcher = undefined;
    }
    this.#plan(everyMs);
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  #plan(waitMs: number): void {
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#timer = this.#clock.setTimeout(() => void this.#now(), waitMs);
  }

  async #now(): Promise<void> {
    const goesOn = await this.#look();
    if (this.#isClosed) return;
    if (goesOn) this.#plan(everyMs);
    else this.#stop();
  }

  #stop(): void {
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#isRunning = false;
  }
}
