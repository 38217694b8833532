import { resolve } from "node:path";
import { realClock } from "../../index.js";
import { settingsSection } from "../../config/index.js";
import { print, say } from "../context/context.js";
import type { Context } from "../context/context.js";
import { openDemo } from "../demo/fleet.js";
import type { Demo } from "../demo/fleet.js";
import { exitCodes, UsageError } from "../context/exitCodes.js";
import { becomeReady, withFleet } from "../fleet/fleet.js";
import type { Fleet } from "../fleet/fleet.js";
import type { ServeOptions, Service } from "../../http/index.js";
import { startInBackground } from "../fleet/detach.js";
import { openServerLogs } from "../fleet/serverLogs.js";
import { homeOf } from "../context/home.js";
import { printFacts, showFleet } from "../screen/liveView.js";
import type { FleetFlags } from "../context/options.js";
import { hasErrors } from "../screen/problems.js";
import { runSamples } from "../fleet/sampleCalls.js";
import { serverTable } from "../screen/serverTable.js";
import { readyLine, sampleLines, stopLine } from "../fleet/upReport.js";
import type { UpReport } from "../fleet/upReport.js";
import { jsonText } from "../screen/visible.js";
import { untilAborted, wait } from "../context/wait.js";
import { version } from "../../version.js";

export interface UpFlags extends FleetFlags {
  readonly once?: boolean;
  readonly demo?: boolean;
  /** Serve the API and the dashboard as well. */
  readonly http?: boolean;
  readonly port?: string;
  readonly socket?: string;
  /** Serve in the background. */
  readonly detach?: boolean;
}

/** Keeps the fleet up until a signal, or with --once until every server was tried. */
export async function up(context: Context, flags: UpFlags): Promise<number> {
  if (flags.detach === true) return background(context, flags);
  if (flags.demo !== true) return run(context, flags, undefined);
  const demo = await openDemo(context.interrupts.signal);
  try {
    return await run(context, flags, demo);
  } finally {
    await demo.close();
  }
}

/** The same command without `-d`, in a process of its own. */
async function background(context: Context, flags: UpFlags): Promise<number> {
  if (flags.once === true || flags.demo === true)
    throw new UsageError("--detach is for a service that stays: leave --once and --demo out");
  const home = homeOf(context, flags);
  const known = await context.findService(home);
  if (known !== undefined) {
    known.close();
    throw new UsageError(
      `a service for ${home} runs already; \`mcpvisor status\` and \`mcpvisor stop\` speak to it`,
    );
  }
  const args = process.argv.slice(2).filter((each) => each !== "-d" && each !== "--detach");
  const client = await startInBackground(context, home, args.includes("--http") ? args : [...args, "--http"]);
  const link = await client.loginLink();
  client.close();
  print(
    context,
    flags.json ? jsonText({ type: "mcpvisor.serving", link }) : `dashboard (this link is good once): ${link}`,
  );
  return exitCodes.ok;
}

async function run(context: Context, flags: UpFlags, demo: Demo | undefined): Promise<number> {
  const logs = flags.http === true ? openServerLogs(demo?.options.home ?? homeOf(context, flags)) : undefined;
  const extra = {
    ...demo?.options,
    ...(demo !== undefined && flags.mode === undefined ? { mode: demo.mode } : {}),
    ...(flags.once ? { watch: false } : {}),
    ...(flags.once ? {} : { untilStopped: true }),
    ...(flags.http ? { consumers: true } : {}),
    ...(logs === undefined ? {} : { stderr: (id: string, line: string) => logs.write(id, line) }),
    ...(flags.http && !context.terminal.canAsk ? { leaveOpen: true } : {}),
  };
  return withFleet(context, flags, extra, (fleet) => {
    return flags.once ? once(context, fleet, flags, demo) : stay(context, fleet, flags, demo);
  });
}

async function once(context: Context, fleet: Fleet, flags: UpFlags, demo: Demo | undefined): Promise<number> {
  const ready = await becomeReady(fleet, flags);
  const calls = await runSamples(fleet.supervisor, demo?.samples ?? [], context.interrupts.signal);
  const servers = fleet.supervisor.servers();
  const stop = await fleet.stop();
  const worked = calls.every((each) => each.result?.ok !== false) && stop.survivors.length === 0;
  const sound = !hasErrors(ready.problems) && servers.length > 0;
  const report: UpReport = { ok: ready.ok && worked && sound, ready, servers, calls, stop };
  if (flags.json) print(context, jsonText(report));
  else print(context, onceLines(context, report).join("\n"));
  if (report.ok) return exitCodes.ok;
  return sound ? exitCodes.failed : exitCodes.usage;
}

function onceLines(context: Context, report: UpReport): string[] {
  const width = context.terminal.stdout.columns ?? 160;
  return [
    ...serverTable(report.servers, width, context.terminal.colors, realClock.now()),
    "",
    ...sampleLines(report.calls, width),
    stopLine(report.stop),
  ];
}

async function stay(context: Context, fleet: Fleet, flags: UpFlags, demo: Demo | undefined): Promise<number> {
  if (fleet.supervisor.servers().length === 0) return exitCodes.usage;
  const { signal } = context.interrupts;
  const service = flags.http ? await startService(context, fleet, flags, demo) : undefined;
  const view = flags.json ? printFacts(context, fleet.supervisor) : showFleet(context, fleet.supervisor);
  const busy = accompany(context, fleet, flags, demo);
  await untilAborted(signal);
  await service?.close();
  const report = await fleet.stop();
  view.close();
  await busy;
  print(context, flags.json ? jsonText({ type: "mcpvisor.stopped", ...report }) : stopLine(report));
  return exitCodes.ok;
}

/** Says when the fleet is ready, then keeps a demo busy, so that there is something to see. */
async function accompany(
  context: Context,
  fleet: Fleet,
  flags: UpFlags,
  demo: Demo | undefined,
): Promise<void> {
  const { signal } = context.interrupts;
  const ready = await becomeReady(fleet, flags);
  if (signal.aborted) return;
  say(context, readyLine(ready, fleet.supervisor.tools().length));
  if (demo === undefined) return;
  const results = await runSamples(fleet.supervisor, demo.samples, signal);
  if (!signal.aborted) say(context, sampleLines(results, context.terminal.stderr.columns).join("\n"));
  while (context.terminal.live && !signal.aborted) {
    await wait(2000, signal);
    if (!signal.aborted) await runSamples(fleet.supervisor, demo.samples, signal);
  }
}

async function startService(context: Context, fleet: Fleet, flags: UpFlags, demo: Demo | undefined) {
  const [{ ensureToken }, { openGateway }] = await Promise.all([
    import("../../http/index.js"),
    import("../../gateway/index.js"),
  ]);
  const home = demo?.options.home ?? homeOf(context, flags);
  const settings = await settingsSection(home, "gateway");
  const gateway = await openGateway(fleet.supervisor, {
    home,
    settings,
    ownerToken: await ensureToken(home),
    version: version,
    onProblem: (text) => say(context, text),
  });
  const options = {
    home,
    mounts: [gateway],
    consumers: gateway.consumers,
    ...(flags.socket === undefined ? {} : { socket: resolve(flags.socket) }),
  };
  const service = await serveAt(
    fleet,
    options,
    flags.port === undefined ? undefined : portOf(flags.port),
    context,
  );
  // Data, not a message: a script may read the link from the first line of stdout.
  print(
    context,
    flags.json
      ? jsonText({ type: "mcpvisor.serving", url: service.url, link: service.loginLink() })
      : `dashboard (this link is good once): ${service.loginLink()}`,
  );
  return service;
}

/** A bookmark and a scraper want the same port each time; another fleet may have it. */
const usualPort = 7420;

async function serveAt(
  { supervisor }: Fleet,
  options: ServeOptions,
  port: number | undefined,
  context: Context,
): Promise<Service> {
  const { serve } = await import("../../http/index.js");
  if (port !== undefined || options.socket !== undefined)
    return serve(supervisor, port === undefined ? options : { ...options, port });
  try {
    return await serve(supervisor, { ...options, port: usualPort });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    say(context, `port ${usualPort} is taken; another one was chosen`);
    return serve(supervisor, { ...options, port: 0 });
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new UsageError(`--port "${text}" is not a port; write a number from 0 (any free one) to 65535`);
}
