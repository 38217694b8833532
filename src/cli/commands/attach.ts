import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { attachHosts, attachTo, detachFrom, projectFile, shapes, userFiles } from "../../config/index.js";
import type { AttachHost, Way } from "../../config/index.js";
import { print, say } from "../context/context.js";
import type { Context } from "../context/context.js";
import { exitCodes, UsageError } from "../context/exitCodes.js";
import { homeOf } from "../context/home.js";
import { selfCommand } from "../context/selfCommand.js";
import { version } from "../../version.js";
import { withConsumers } from "../fleet/consumerAdmin.js";
import { jsonText, visible } from "../screen/visible.js";

export interface AttachFlags {
  readonly http?: boolean;
  readonly stdio?: boolean;
  readonly undo?: boolean;
  readonly as?: string;
  readonly server?: string;
  readonly project?: boolean;
  readonly file?: string;
  readonly dryRun?: boolean;
  readonly home?: string;
  readonly json?: boolean;
}

/** Writes mcpvisor into the file of an agent's host, or takes it out again. */
export async function attach(context: Context, flags: AttachFlags, name: string): Promise<number> {
  const host = hostOf(name);
  if (flags.http && flags.stdio) throw new UsageError("--stdio and --http exclude each other");
  const file = fileOf(context, flags, host);
  const entry = flags.server === undefined ? "mcpvisor" : `mcpvisor-${flags.server}`;
  const consumer = flags.as ?? host;
  if (flags.undo) return undo(context, flags, { host, file, entry, consumer });
  return flags.http
    ? overHttp(context, flags, { host, file, entry, consumer })
    : overStdio(context, flags, { host, file, entry, consumer });
}

interface Place {
  readonly host: AttachHost;
  readonly file: string;
  /** Name of the entry in the host's file. */
  readonly entry: string;
  readonly consumer: string;
}

async function overStdio(context: Context, flags: AttachFlags, place: Place): Promise<number> {
  const self = selfCommand(process.execPath, process.argv[1] ?? "", version);
  const isElsewhere = flags.home !== undefined || (context.env["MCPVISOR_HOME"] ?? "") !== "";
  const args = [
    ...self.args,
    "serve",
    "--stdio",
    "--as",
    place.consumer,
    ...(flags.server === undefined ? [] : ["--server", flags.server]),
    ...(isElsewhere ? ["--home", homeOf(context, flags)] : []),
  ];
  return write(context, flags, place, { kind: "stdio", command: self.command, args });
}

async function overHttp(context: Context, flags: AttachFlags, place: Place): Promise<number> {
  if (flags.project)
    throw new UsageError(
      "--http writes a token, which does not belong into a file of a project; use --stdio",
    );
  const { findService } = await import("../../http/service/lock.js");
  const service = await findService(homeOf(context, flags));
  if (service?.url === undefined)
    throw new UsageError(
      "no service with an address runs; start one with `mcpvisor up --http`, or attach with --stdio",
    );
  const path = flags.server === undefined ? "/mcp" : `/mcp/s/${encodeURIComponent(flags.server)}`;
  const url = new URL(path, service.url).href;
  // Tried first without a token: what cannot be written must not cost the consumer the token that it has.
  await attachTo(place.host, place.file, place.entry, { kind: "http", url, token: "" }, { dryRun: true });
  if (flags.dryRun) return write(context, flags, place, { kind: "http", url, token: "(shown to nobody)" });
  return withConsumers(context, flags, async (admin) => {
    const added = await admin.add(place.consumer, scopeOf(flags));
    const { token } = added.token === undefined ? await admin.rotate(place.consumer) : added;
    if (token === undefined) throw new UsageError(`the consumer ${place.consumer} got no token`);
    return write(context, flags, place, { kind: "http", url, token });
  });
}

function scopeOf({ server }: AttachFlags): object {
  return server === undefined ? {} : { servers: [server] };
}

async function write(context: Context, flags: AttachFlags, place: Place, way: Way): Promise<number> {
  const dryRun = flags.dryRun === true;
  const { file, host, entry } = place;
  const done = await attachTo(host, file, entry, way, { dryRun });
  const { title, next } = shapes[host];
  if (flags.json) {
    // The token is in the file, and nowhere else.
    const { backup, changed } = done;
    print(
      context,
      jsonText({ host, file, entry, way: way.kind, consumer: place.consumer, changed, backup, dryRun }),
    );
    return exitCodes.ok;
  }
  const kept = done.backup === undefined ? "" : ` (the file as it was: ${done.backup})`;
  const what = `${title}: ${file} ${dryRun ? "would have" : "has"} "${entry}"`;
  say(context, visible(done.changed ? `${what}${dryRun ? "" : kept}` : `${title}: ${file} has it already`));
  if (!dryRun) say(context, `${next}; undo with: mcpvisor attach ${host} --undo`);
  return exitCodes.ok;
}

async function undo(
  context: Context,
  flags: AttachFlags,
  { host, file, entry, consumer }: Place,
): Promise<number> {
  const done = await detachFrom(host, file, entry);
  if (!done.found) throw new UsageError(`${file} has no "${entry}"; nothing was changed`);
  if (done.way === "http")
    await withConsumers(context, flags, async (admin) => {
      if ((await admin.list()).some((each) => each.name === consumer)) await admin.remove(consumer);
      return exitCodes.ok;
    });
  if (flags.json) print(context, jsonText({ host, file, entry, restored: done.restored }));
  else {
    const revoked = done.way === "http" ? `; the token of ${consumer} is revoked` : "";
    const state = done.restored ? "is as it was before" : `is without "${entry}"; other changes since stay`;
    say(context, visible(`${shapes[host].title}: ${file} ${state}${revoked}`));
  }
  return exitCodes.ok;
}

function fileOf(context: Context, flags: AttachFlags, host: AttachHost): string {
  if (flags.file !== undefined) return resolve(flags.file);
  if (flags.project) {
    const own = projectFile(host);
    if (own === undefined) throw new UsageError(`${shapes[host].title} has no file of a project`);
    return resolve(own);
  }
  const { env } = context;
  const userHome = env["HOME"] ?? env["USERPROFILE"] ?? homedir();
  const files = userFiles(host, { platform: process.platform, userHome, env });
  return resolve(files.find((each) => existsSync(each)) ?? files[0]!);
}

function hostOf(name: string): AttachHost {
  const found = attachHosts.find((each) => each === name);
  if (found === undefined)
    throw new UsageError(
      `"${name}" is none of ${attachHosts.join(", ")}; any other host takes the entry of docs/gateway.md`,
    );
  return found;
}
