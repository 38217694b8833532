import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { createForeground } from "../../../src/cli/context/context.js";
import type { Context } from "../../../src/cli/context/context.js";
import { listenForInterrupts } from "../../../src/cli/context/interrupts.js";
import { openTerminal } from "../../../src/cli/context/terminal.js";
import type { ServiceClient } from "../../../src/http/index.js";
import type { Supervisor, SupervisorOptions } from "../../../src/index.js";
import { FakeOutput } from "./fakeOutput.js";

/** A context whose streams are kept, whose signals a test sends, and which opens the given supervisor. */
export function fakeContext(
  supervisor: Supervisor,
  tty?: { columns: number; rows: number },
  client?: ServiceClient,
) {
  const stdout = new FakeOutput(tty);
  const stderr = new FakeOutput(tty);
  const stdin = Object.assign(new PassThrough(), { isTTY: tty !== undefined });
  const signals = new EventEmitter();
  const opened: SupervisorOptions[] = [];
  const context: Context = {
    terminal: openTerminal({ stdin, stdout, stderr }, tty === undefined ? {} : { NO_COLOR: "1" }),
    interrupts: listenForInterrupts(signals),
    env: {},
    foreground: createForeground(),
    findService: async () => client,
    open: async (options) => {
      opened.push(options);
      return supervisor;
    },
  };
  const send = (name: NodeJS.Signals) => void signals.emit(name, name);
  return { context, stdin, stdout, stderr, send, opened };
}

/** Polls until the condition holds. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
