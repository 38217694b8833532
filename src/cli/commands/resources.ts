import type { Outcome, Resource, ResourceContents, ResourceTemplate, ServerHandle } from "../../index.js";
import { print, say } from "../context/context.js";
import type { Context } from "../context/context.js";
import { argumentOf, askOne, listEach } from "../fleet/library.js";
import type { Listed } from "../fleet/library.js";
import type { FleetFlags } from "../context/options.js";
import { table } from "../screen/table.js";
import { jsonText, visible, visibleLines } from "../screen/visible.js";

export interface ResourcesFlags extends FleetFlags {
  /** `NAME=value`: what the server suggests for an argument of the template. */
  readonly complete?: string;
}

/** Lists resources and templates, reads one, or completes an argument of a template. */
export async function resources(
  context: Context,
  flags: ResourcesFlags,
  server: string | undefined,
  uri: string | undefined,
): Promise<number> {
  if (server === undefined || uri === undefined)
    return listEach(context, flags, server, listBoth, (lists) => show(context, flags, lists));
  if (flags.complete === undefined)
    return askOne(
      context,
      flags,
      server,
      (handle) => handle.readResource(uri),
      (contents) => contents.forEach((each) => showContents(context, each)),
    );
  const argument = argumentOf("--complete", flags.complete);
  return askOne(
    context,
    flags,
    server,
    (handle) => handle.complete({ type: "ref/resource", uri }, argument),
    ({ values }) => values.forEach((value) => print(context, visible(value))),
  );
}

type Item = Resource | ResourceTemplate;

async function listBoth(handle: ServerHandle): Promise<Outcome<readonly Item[]>> {
  const [found, templates] = await Promise.all([handle.listResources(), handle.listResourceTemplates()]);
  if (!found.ok) return found;
  if (!templates.ok) return templates;
  return { ok: true, value: [...found.value, ...templates.value], warnings: [] };
}

function show(context: Context, flags: ResourcesFlags, lists: readonly Listed<Item>[]): void {
  if (flags.json) {
    const all = lists.flatMap(({ server, items }) => items.map((item) => ({ server, ...item })));
    const failures = lists.flatMap(({ server, failure }) =>
      failure === undefined ? [] : [{ server, failure }],
    );
    return print(
      context,
      jsonText({
        resources: all.filter((each) => !("uriTemplate" in each)),
        templates: all.filter((each) => "uriTemplate" in each),
        failures,
      }),
    );
  }
  const rows = lists.flatMap(({ server, items }) => items.map((item) => row(server, item)));
  if (rows.length === 0) return say(context, "no resources are offered");
  print(context, table(columns, rows, context.terminal.stdout.columns ?? 160).join("\n"));
}

const columns = [
  { title: "SERVER" },
  { title: "RESOURCE", shrinkTo: 20 },
  { title: "NAME", shrinkTo: 12 },
  { title: "TYPE", shrinkTo: 8 },
];

function row(server: string, item: Item) {
  const address = textOf(item["uri"]) ?? textOf(item["uriTemplate"]) ?? "";
  return [server, address, item.name, textOf(item["mimeType"]) ?? "-"].map((text) => ({
    text: visible(text),
  }));
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function showContents(context: Context, { uri, mimeType, text, blob }: ResourceContents): void {
  if (text !== undefined) return print(context, visibleLines(text));
  const size = Math.floor(((blob ?? "").length * 3) / 4);
  say(context, visible(`${uri}: ${mimeType ?? "binary"}, about ${size} bytes; --json prints them as base64`));
}
