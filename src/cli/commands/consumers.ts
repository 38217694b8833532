import { realClock } from "../../index.js";
import { print, say } from "../context/context.js";
import type { Context } from "../context/context.js";
import { exitCodes } from "../context/exitCodes.js";
import { unknownConsumer, withConsumers } from "../fleet/consumerAdmin.js";
import type { ConsumerAdmin } from "../fleet/consumerAdmin.js";
import type { ServiceFlags } from "../fleet/service.js";
import { durationMs } from "../context/options.js";
import { jsonText, visible } from "../screen/visible.js";
import { table } from "../screen/table.js";
import type { ConsumerRow } from "../../http/index.js";

export interface ConsumersFlags extends ServiceFlags {
  readonly servers?: string;
  readonly tools?: readonly string[];
  readonly exclude?: readonly string[];
  readonly mode?: string;
  readonly expose?: string;
  readonly expires?: string;
  readonly json?: boolean;
}

export type ConsumersOrder = "list" | "add" | "show" | "rotate" | "remove";

/** Lists the consumers of the gateway, or adds, shows, renews or revokes one. */
export async function consumers(
  context: Context,
  flags: ConsumersFlags,
  order: ConsumersOrder,
  name = "",
): Promise<number> {
  return withConsumers(context, flags, (admin) => obey(context, flags, order, name, admin));
}

async function obey(
  context: Context,
  flags: ConsumersFlags,
  order: ConsumersOrder,
  name: string,
  admin: ConsumerAdmin,
): Promise<number> {
  const expiresAt =
    flags.expires === undefined ? undefined : realClock.now() + durationMs("--expires", days(flags.expires));
  switch (order) {
    case "list":
      return showAll(context, flags, await admin.list());
    case "show": {
      const found = (await admin.list()).find((each) => each.name === name);
      if (found === undefined) throw unknownConsumer(name);
      print(context, jsonText(found));
      return exitCodes.ok;
    }
    case "add":
      return tell(context, flags, name, await admin.add(name, configOf(flags), expiresAt));
    case "rotate":
      return tell(context, flags, name, await admin.rotate(name, expiresAt));
    case "remove":
      if (!(await admin.remove(name))) throw unknownConsumer(name);
      say(context, `${name} is revoked`);
      return exitCodes.ok;
  }
}

function tell(context: Context, flags: ConsumersFlags, name: string, { token }: { token?: string }): number {
  if (flags.json) print(context, jsonText({ name, ...(token === undefined ? {} : { token }) }));
  else if (token === undefined) say(context, `${name} is changed; its token stays`);
  else {
    say(context, `the token of ${name}, shown this once; send it as \`Authorization: Bearer …\` to /mcp:`);
    print(context, token);
  }
  return exitCodes.ok;
}

function showAll(context: Context, flags: ConsumersFlags, all: readonly ConsumerRow[]): number {
  if (flags.json) print(context, jsonText(all));
  else if (all.length === 0) say(context, "no consumers yet; add one with `mcpvisor consumers add NAME`");
  else {
    const rows = all.map((each) =>
      [
        each.name,
        Array.isArray(each.config["servers"]) ? each.config["servers"].join(",") : "all",
        typeof each.config["mode"] === "string" ? each.config["mode"] : "as the fleet",
        String(each.sessions),
        String(each.calls),
        each.token?.lastUsedAt === undefined ? "never" : new Date(each.token.lastUsedAt).toISOString(),
      ].map((text) => ({ text: visible(text) })),
    );
    const columns = ["consumer", "servers", "mode", "sessions", "calls", "last used"].map((title) => ({
      title,
    }));
    print(context, table(columns, rows, context.terminal.stdout.columns ?? 160).join("\n"));
  }
  return exitCodes.ok;
}

function configOf({ servers, tools, exclude, mode, expose }: ConsumersFlags): object {
  const rules = {
    ...(tools === undefined ? {} : { include: tools }),
    ...(exclude === undefined ? {} : { exclude }),
  };
  return {
    ...(servers === undefined
      ? {}
      : {
          servers: servers
            .split(",")
            .map((each) => each.trim())
            .filter(Boolean),
        }),
    ...(Object.keys(rules).length === 0 ? {} : { tools: rules }),
    ...(mode === undefined ? {} : { mode }),
    ...(expose === undefined ? {} : { expose }),
  };
}

/** `30d` as hours: the other durations of the command line know no days. */
function days(text: string): string {
  const found = /^(\d+)d$/.exec(text.trim())?.[1];
  return found === undefined ? text : `${Number(found) * 24}h`;
}
