import { resolve } from "node:path";
import { loadFleet, viewOf } from "../../config/index.js";
import type { LoadedFleet, ServerSpec } from "../../config/index.js";
import { print, say } from "../context/context.js";
import type { Context } from "../context/context.js";
import { exitCodes } from "../context/exitCodes.js";
import { count } from "../screen/factLine.js";
import { homeOf } from "../context/home.js";
import { hasErrors, problemLine } from "../screen/problems.js";
import { table } from "../screen/table.js";
import { jsonText, visible } from "../screen/visible.js";

export interface CheckFlags {
  readonly home?: string;
  readonly workspace?: string;
  readonly json?: boolean;
}

/** Reads configuration and explains it without starting anything: the files named, or those found by themselves. */
export async function check(context: Context, flags: CheckFlags, files: readonly string[]): Promise<number> {
  const fleet = await loadFleet({
    home: homeOf(context, flags),
    workspace: resolve(flags.workspace ?? "."),
    ...(files.length > 0 ? { configFiles: files } : { discover: true }),
  });
  const ok = !hasErrors(fleet.problems);
  if (flags.json) print(context, jsonText({ ok, ...report(fleet) }));
  else explain(context, fleet);
  return ok ? exitCodes.ok : exitCodes.usage;
}

function report({ specs, problems, files, waiting }: LoadedFleet) {
  const servers = specs.map((spec) => {
    const { id, name, scope, file, hides, enabled, trusted, held } = spec;
    return { id, name, scope, file, hides, enabled, trusted, held, target: viewOf(spec) };
  });
  // The question shows texts of the file; a report, which may be passed on, does not.
  const asked = waiting.map(({ id, name, file, subject, difference, changed, hides }) => ({
    id,
    name,
    file,
    subject,
    difference,
    changed,
    hides,
  }));
  return { files, servers, waiting: asked, problems };
}

function explain(context: Context, fleet: LoadedFleet): void {
  for (const problem of fleet.problems) say(context, problemLine(problem));
  if (fleet.specs.length > 0) {
    const width = context.terminal.stdout.columns ?? 160;
    print(context, table(columns, fleet.specs.map(row), width).join("\n"));
  }
  const errors = fleet.problems.filter((each) => each.severity === "error").length;
  const warnings = fleet.problems.length - errors;
  say(
    context,
    `${count(fleet.specs.length, "server")}, ${count(errors, "error")}, ${count(warnings, "warning")} in ${fleet.files.map(visible).join(", ")}`,
  );
}

const columns = [
  { title: "SERVER" },
  { title: "STARTS" },
  { title: "TRUSTED" },
  { title: "FROM", shrinkTo: 16 },
  { title: "RUNS", shrinkTo: 20 },
];

function row(spec: ServerSpec) {
  const hides = spec.hides === undefined ? "" : ` (hides ${spec.hides})`;
  return [
    { text: visible(spec.id) },
    { text: starts(spec) },
    { text: spec.trusted ? "yes" : "no" },
    { text: visible(`${spec.file ?? spec.scope}${hides}`) },
    { text: visible(runs(viewOf(spec))) },
  ];
}

function starts(spec: ServerSpec): string {
  if (!spec.enabled) return "no: disabled";
  if (spec.held !== undefined) return `no: ${spec.held.kind}`;
  return spec.lazy ? "with the first call" : "yes";
}

function runs(view: Readonly<Record<string, unknown>>): string {
  if (typeof view["url"] === "string") return view["url"];
  const args = Array.isArray(view["args"]) ? view["args"] : [];
  return [view["command"], ...args].map(String).join(" ");
}
