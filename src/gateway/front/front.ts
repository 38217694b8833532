import type { Duplex, Readable, Writable } from "node:stream";
import { lineReader } from "../wire/lineReader.js";
import { FrontMemory } from "./memory.js";

/** Between whom a stdio front carries lines. */
export interface FrontOptions {
  /** What the consumer writes, one JSON-RPC message a line. */
  readonly input: Readable;
  /** What the consumer reads. */
  readonly output: Writable;
  /** Opens a connection to the service that runs now; rejects when there is none. */
  readonly join: () => Promise<Duplex>;
  /** For a person, never on the output. */
  readonly say: (text: string) => void;
  /** Ends the front when it aborts. */
  readonly signal?: AbortSignal;
}

const firstWaitMs = 50;
const longestWaitMs = 2000;
const mostWaiting = 10_000;

/**
 * Carries the lines of one consumer to the running service and back, over its restarts. Resolves when the consumer's
 * input has ended or the signal came; rejects when there is no service to begin with.
 */
export async function runFront(options: FrontOptions): Promise<void> {
  const front = new Front(options);
  await front.run();
}

class Front {
  readonly #options: FrontOptions;
  readonly #memory = new FrontMemory();
  readonly #waiting: string[] = [];
  readonly #over = new AbortController();
  #link: Duplex | undefined;
  #hasBegun = false;

  constructor(options: FrontOptions) {
    this.#options = options;
    const { input, output, signal } = options;
    const end = (): void => {
      this.#over.abort();
      this.#link?.end();
    };
    input.on(
      "data",
      lineReader((line) => this.#sent(line)),
    );
    for (const event of ["end", "close", "error"]) input.once(event, end);
    output.on("error", end);
    signal?.addEventListener("abort", end);
  }

  async run(): Promise<void> {
    const { join, say } = this.#options;
    let waitMs = firstWaitMs;
    while (!this.#over.signal.aborted) {
      const opened = await join().catch((error: unknown) => {
        if (!this.#hasBegun) throw error;
      });
      if (opened === undefined) {
        await this.#pause(waitMs);
        waitMs = Math.min(waitMs * 2, longestWaitMs);
        continue;
      }
      waitMs = firstWaitMs;
      if (this.#over.signal.aborted) return void opened.destroy();
      await this.#carry(opened);
      if (!this.#over.signal.aborted) say("the service is gone; waiting for it to come back");
    }
  }

  #sent(line: string): void {
    if (line.trim() === "") return;
    const isKept = this.#memory.sent(line);
    const link = this.#link;
    if (link === undefined) {
      if (!(isKept && this.#hasBegun) && this.#waiting.length < mostWaiting) this.#waiting.push(line);
      return;
    }
    if (link.write(`${line}\n`)) return;
    const { input } = this.#options;
    input.pause();
    for (const event of ["drain", "close"]) link.once(event, () => input.resume());
  }

  /** Resolves when the connection is over. */
  #carry(opened: Duplex): Promise<void> {
    return new Promise((resolve) => {
      opened.on(
        "data",
        lineReader((line) => {
          if (this.#memory.received(line)) this.#tell(line);
        }),
      );
      opened.once("close", () => {
        this.#link = undefined;
        for (const line of this.#memory.lost()) this.#tell(line);
        resolve();
      });
      if (this.#hasBegun) {
        const { toService, toConsumer } = this.#memory.resumed();
        for (const line of toService) opened.write(`${line}\n`);
        for (const line of toConsumer) this.#tell(line);
      }
      this.#hasBegun = true;
      this.#link = opened;
      for (const line of this.#waiting.splice(0)) opened.write(`${line}\n`);
    });
  }

  #tell(line: string): void {
    const { output } = this.#options;
    if (output.write(`${line}\n`)) return;
    // The host does not read: the service is made to wait, too.
    const paused = this.#link;
    paused?.pause();
    output.once("drain", () => paused?.resume());
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#over.signal.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
