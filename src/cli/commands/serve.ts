import { spawn } from "node:child_process";
import { join } from "node:path";
import { settingsSection } from "../../config/index.js";
import { say } from "../context/context.js";
import type { Context } from "../context/context.js";
import { exitCodes, UsageError } from "../context/exitCodes.js";
import { withFleet } from "../fleet/fleet.js";
import { wait } from "../context/wait.js";
import { homeOf } from "../context/home.js";
import type { FleetFlags } from "../context/options.js";
import { version } from "../../version.js";

export interface ServeFlags extends FleetFlags {
  readonly stdio?: boolean;
  readonly as?: string;
  readonly server?: string;
  readonly service?: boolean;
}

/** An own fleet that nobody has seen before gets so long to list its tools before the host is answered. */
const firstListMs = 5000;
const serviceStartMs = 15_000;

/** Speaks MCP on stdin and stdout for one agent: through the running service, or with a fleet of its own. */
export async function serve(context: Context, flags: ServeFlags): Promise<number> {
  if (flags.stdio !== true)
    throw new UsageError("serve needs --stdio; over HTTP the gateway is served by `mcpvisor up --http`");
  const home = homeOf(context, flags);
  const as = flags.as ?? "local";
  const { isGatewayOn, openGateway } = await import("../../gateway/index.js");
  const settings = await settingsSection(home, "gateway");
  if (!isGatewayOn(settings))
    throw new UsageError(`the gateway is switched off by gateway.enabled in ${join(home, "settings.json")}`);
  if (flags.alone !== true && (flags.config ?? []).length === 0) {
    if (flags.service) await startService(context, home);
    const { findService } = await import("../../http/service/lock.js");
    if ((await findService(home)) !== undefined) return front(context, home, as, flags.server);
  }
  return withFleet(context, flags, { consumers: true }, async ({ supervisor }) => {
    const gateway = await openGateway(supervisor, {
      home,
      settings,
      version: version,
      onProblem: (text) => say(context, text),
    });
    try {
      const ready = supervisor.ready({ timeout: "30s" }).then(
        () => undefined,
        () => undefined,
      );
      if (supervisor.tools().length === 0)
        await Promise.race([ready, wait(firstListMs, context.interrupts.signal)]);
      await gateway.serveStreams(as, process.stdin, process.stdout, flags.server);
    } finally {
      await gateway.close();
    }
    return exitCodes.ok;
  });
}

async function front(context: Context, home: string, as: string, only: string | undefined): Promise<number> {
  const [{ findService }, { readToken }, { joinService }, { runFront }] = await Promise.all([
    import("../../http/service/lock.js"),
    import("../../http/guard/token.js"),
    import("../../gateway/front/join.js"),
    import("../../gateway/front/front.js"),
  ]);
  await runFront({
    input: process.stdin,
    output: process.stdout,
    signal: context.interrupts.signal,
    say: (text) => say(context, `mcpvisor: ${text}`),
    async join() {
      const service = await findService(home);
      if (service === undefined || (service.url ?? service.socket) === undefined)
        throw new Error("no service runs");
      return joinService({ ...service, token: await readToken(home) }, as, only);
    },
  });
  return context.interrupts.exitCode() ?? exitCodes.ok;
}

/** Starts the service of the state folder in the background, unless it runs. */
async function startService(context: Context, home: string): Promise<void> {
  const { findService } = await import("../../http/service/lock.js");
  if ((await findService(home)) !== undefined) return;
  const main = process.argv[1] ?? "";
  spawn(process.execPath, [main, "up", "--http", "--home", home], {
    detached: true,
    stdio: "ignore",
  }).unref();
  for (let waited = 0; waited < serviceStartMs; waited += 100) {
    const found = await findService(home);
    if (found !== undefined && (found.url ?? found.socket) !== undefined) return;
    await wait(100, context.interrupts.signal);
  }
  say(context, "the service did not start in time; this agent gets a fleet of its own");
}
