import type { ServiceClient } from "../../http/index.js";
import type { Supervisor, SupervisorOptions } from "../../index.js";
import type { Interrupts } from "./interrupts.js";
import type { Terminal } from "./terminal.js";

/** What a command is given; tests hand in their own. */
export interface Context {
  readonly terminal: Terminal;
  readonly interrupts: Interrupts;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What has to make room while something else is written to the terminal. */
  readonly foreground: Foreground;
  open(options: SupervisorOptions): Promise<Supervisor>;
  /** A client for the service that runs in this state folder, if one does. */
  findService(home: string): Promise<ServiceClient | undefined>;
}

/** A live view registers here, so that messages and questions never end up in the middle of it. */
export interface Foreground {
  /** Returns the function that unregisters. One view at a time. */
  use(view: { begin(): void; end(): void }): () => void;
  begin(): void;
  end(): void;
}

/** A foreground with nothing in it; `begin` and `end` may nest. */
export function createForeground(): Foreground {
  let view = nobody;
  let depth = 0;
  return {
    use(given) {
      view = given;
      return () => {
        view = nobody;
      };
    },
    begin() {
      depth += 1;
      if (depth === 1) view.begin();
    },
    end() {
      depth -= 1;
      if (depth === 0) view.end();
    },
  };
}

const nobody = { begin: () => {}, end: () => {} };

/** One document or one line of data on stdout. */
export function print(context: Pick<Context, "terminal">, text: string): void {
  context.terminal.stdout.write(`${text}\n`);
}

/** Progress, warnings and errors on stderr. */
export function say(context: Pick<Context, "terminal" | "foreground">, text: string): void {
  context.foreground.begin();
  context.terminal.stderr.write(`${text}\n`);
  context.foreground.end();
}
