import { mkdirSync, watch } from "node:fs";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { realClock } from "../contract/clock.js";
import { ServiceError } from "../contract/problem.js";
import type { ServiceId } from "../contract/ids.js";
import type { Service } from "../contract/service.js";
import { createAccess } from "../tokens/access.js";
import { accountFromEnv } from "../tokens/env.js";
import { createMask } from "../tokens/mask.js";
import { openTokenStore, type TokenStore } from "../tokens/store.js";
import { parseServeOptions, type ServeOptions, UsageError } from "./options.js";
import { type BuiltinServer, type Connected, createServer } from "./server.js";
import type { Surroundings } from "./surroundings.js";
import type { ToolDefinition } from "./tool.js";

export interface Program {
  /** The command's name, `mcpvisor-…`. */
  readonly command: string;
  readonly name: string;
  readonly title: string;
  readonly purpose: string;
  readonly services: readonly Service[];
  readonly tools: readonly ToolDefinition[];
}

/** Serves MCP on stdin and stdout until stdin ends, in whichever era the host opens with. Problems go to stderr. */
export function runServer(program: Program): void {
  try {
    const known = program.services.map(({ id }) => id);
    const options = parseServeOptions(process.argv.slice(2), process.env, known);
    if (options.help) process.stdout.write(usage(program));
    else serve(program, options);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ServiceError)) throw error;
    process.stderr.write(`${program.command}: ${error.message}\n`);
    process.exitCode = 2;
  }
}

function serve(program: Program, options: ServeOptions): void {
  const around: Surroundings = { options, clock: realClock, mask: createMask() };
  const store = openTokenStore({ home: options.home });
  const services = program.services.filter(({ id }) => options.services.includes(id));
  const about: BuiltinServer = { ...program, services, offers: offersOf(program, services, store, around) };
  const complain = (error: Error): void => {
    process.stderr.write(`${program.command}: ${around.mask.text(error.message)}\n`);
  };
  let update: ((connected: Connected) => void) | undefined;
  serveStdio(
    async () => {
      const made = createServer(about, await connectedOf(store, services, complain), around);
      update = made.update;
      return made.server;
    },
    { onerror: complain },
  );
  onTokensChanged(options.home, () => {
    void connectedOf(store, services, complain).then((connected) => update?.(connected));
  });
}

function offersOf(program: Program, services: readonly Service[], store: TokenStore, around: Surroundings) {
  return services.flatMap((service) => {
    const { clock, mask } = around;
    const access = createAccess({ store, service: service.id, env: process.env, clock, mask });
    return program.tools
      .filter((tool) => tool.service === service.id)
      .map((tool) => ({ tool, service, access }));
  });
}

async function connectedOf(
  store: TokenStore,
  services: readonly Service[],
  complain: (error: Error) => void,
): Promise<Connected> {
  const stored = await store.list().catch((error: Error) => {
    complain(error);
    return {};
  });
  const ids: readonly ServiceId[] = services.map(({ id }) => id);
  return new Set(ids.filter((id) => id in stored || accountFromEnv(process.env, id) !== undefined));
}

/** Tools appear and go while the server runs; where folders cannot be watched, a restart does the same. */
function onTokensChanged(home: string, tell: () => void): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const watcher = watch(home, { persistent: false }, (_, file) => {
      if (file === "tokens.json") tell();
    });
    watcher.on("error", () => watcher.close());
  } catch {
    // A read-only home or no watches left: the list stays as it was at the start.
  }
}

function usage({ command, purpose, services }: Program): string {
  const urls = services.map(({ id }) => `  --${id}-url <address>`).join("\n");
  return `${purpose}

Speaks MCP on stdin and stdout; a host starts it. It makes no permission decisions: the host has to ask.

Usage: ${command} [options]

  --home <folder>       state folder with tokens.json (MCPVISOR_HOME, ~/.mcpvisor)
  --services <a,b>      offer only these: ${services.map(({ id }) => id).join(", ")}
  --timeout <seconds>   per request to a service (20)
  --max-bytes <number>  cap of one answer of a service (4194304)
${urls}
`;
}
