import type { ConfigProblem } from "../errors.js";
import type { ApprovalRecord } from "./entries/approval.js";
import { inlineFleet } from "./entries/inline.js";
import type { ServerConfig } from "./entries/input.js";
import type { ContextOptions } from "./dialects/context.js";
import { parseContext } from "./dialects/context.js";
import type { FileReading } from "./files/load.js";
import { absolute, readGuarded } from "./files/load.js";
import { folderOf } from "./fields/paths.js";
import type { WaitingEntry } from "./merge.js";
import type { ConfigEntry, ParsedConfig } from "./dialects/parse.js";
import { presetSpecs } from "./entries/presets.js";
import { withProxy } from "./entries/proxy.js";
import { readApprovals } from "./store/records.js";
import { fingerprintOf } from "./entries/fingerprint.js";
import type { Scope, ServerSpec } from "../spec.js";

/** Where servers come from, and what their files may refer to. */
export interface FleetOptions extends ContextOptions {
  readonly servers?: readonly ServerConfig[];
  readonly configFiles?: readonly string[];
  /** Reads `<home>/settings.json`, `<home>/mcp.json` and `<workspace>/.mcp.json` first; shows what ships with us. */
  readonly discover?: boolean;
  /** Default: those of the state folder. */
  readonly approvals?: readonly ApprovalRecord[];
  /** The fleet as it is: what stays in place of a file that is broken, or an entry that is invalid, now. */
  readonly previous?: readonly ServerSpec[];
}

export interface LoadedFleet {
  readonly specs: readonly ServerSpec[];
  readonly problems: readonly ConfigProblem[];
  /** Absolute paths of every file that was looked at, also of those that are not there (yet): what to watch. */
  readonly files: readonly string[];
  /** Files that cannot be used as they are, or are gone; what came from them before stays. */
  readonly broken: readonly string[];
  /** Entries of project files that need an approval before they start. */
  readonly waiting: readonly WaitingEntry[];
}

/** One configuration file, and as what it is read; without a scope its shape decides. */
interface Source {
  readonly file: string;
  readonly scope?: Scope;
  readonly optional?: boolean;
}

/** Reads all files and merges them with the inline servers, which win. Never throws for what is in a file. */
export async function loadFleet(options: FleetOptions): Promise<LoadedFleet> {
  const sources = sourcesOf(options);
  const readings = await Promise.all(sources.map(({ file }) => readGuarded(file)));
  const problems: ConfigProblem[] = [];
  const parsed = readings.some((each) => each.kind === "text")
    ? await parseAll(sources, readings, options)
    : [];
  const broken = new Set<string>();
  for (const [index, { file, optional }] of sources.entries()) {
    const reading = readings[index]!;
    if (reading.kind === "refused" || parsed[index]?.broken) broken.add(file);
    if (reading.kind === "refused") problems.push(reading.problem);
    if (reading.kind === "absent" && options.previous?.some((each) => each.file === file)) {
      broken.add(file);
      problems.push(gone(file));
    } else if (reading.kind === "absent" && !optional)
      problems.push({ severity: "error", file, message: "there is no such file" });
    if (reading.kind === "text" && (reading.mode & 0o044) !== 0)
      problems.push(...readableSecrets(file, parsed[index]?.entries ?? []));
    problems.push(...(parsed[index]?.problems ?? []));
  }
  const merged = await merge(await withProjectFiles(parsed), options, problems);
  const kept = (options.previous ?? []).filter((each) => each.file !== undefined && broken.has(each.file));
  const shipped = options.discover ? presetSpecs(parseContext(options)) : [];
  const inline = inlineFleet(options.servers ?? [], options);
  const builtin = new Set(shipped.map((each) => each.id));
  // Where traffic goes is for the user to say, not for a repository.
  const proxy = parsed.findLast(
    (each, index) => sources[index]?.scope !== "project" && each?.proxy !== undefined,
  )?.proxy;
  return {
    specs: withProxy(stack([shipped, kept, merged.specs, inline.specs]), proxy),
    problems: [...problems, ...inline.problems],
    files: sources.map((each) => each.file),
    broken: [...broken],
    waiting: merged.waiting.map((each) =>
      each.hides === undefined && builtin.has(each.id) ? Object.assign({}, each, { hides: "builtin" }) : each,
    ),
  };
}

/** Editors, synchronizers and mounts take a file away for a moment: nobody's servers end for that. */
function gone(file: string): ConfigProblem {
  return {
    severity: "error",
    file,
    message: "the file is gone; its servers go on as they were",
    hint: "put it back, or write one without servers to end them",
  };
}

/** The files of these options in the order in which later ones win, each once. */
function sourcesOf({ configFiles = [], discover, home, workspace }: FleetOptions): Source[] {
  const project = workspace === undefined ? undefined : absolute(`${workspace}/.mcp.json`);
  const found: Source[] = discover
    ? [
        { file: absolute(`${home}/settings.json`), scope: "settings", optional: true },
        { file: absolute(`${home}/mcp.json`), scope: "user", optional: true },
      ]
    : [];
  if (discover && project !== undefined) found.push({ file: project, scope: "project", optional: true });
  for (const file of configFiles.map(absolute)) {
    // The conventional name of a file that comes with a repository: never trusted for being named.
    const scope = file === project || /[\\/]\.mcp\.json$/.test(file) ? { scope: "project" as const } : {};
    found.push({ file, ...scope });
  }
  return found.filter((each, index) => found.findIndex((other) => other.file === each.file) === index);
}

async function parseAll(
  sources: readonly Source[],
  readings: readonly FileReading[],
  options: FleetOptions,
): Promise<(ParsedConfig | undefined)[]> {
  // The parser costs start-up time that a host without files does not pay.
  const { parseConfig } = await import("./dialects/parse.js");
  const common = parseContext(options);
  return sources.map(({ file, scope }, index) => {
    const reading = readings[index]!;
    if (reading.kind !== "text") return undefined;
    return parseConfig(reading.text, { ...common, file, ...(scope === undefined ? {} : { scope }) });
  });
}

/** What a command of a project runs of the project is part of its entry: its approval holds for that content. */
async function withProjectFiles(parsed: readonly (ParsedConfig | undefined)[]): Promise<ConfigEntry[]> {
  const entries = parsed.flatMap((each) => each?.entries ?? []);
  if (!entries.some((each) => each.scope === "project")) return entries;
  const { projectFiles } = await import("./files/content.js");
  return Promise.all(
    entries.map(async (entry) => {
      const { spec } = entry;
      if (entry.scope !== "project" || spec?.target.kind !== "stdio") return entry;
      const files = await projectFiles(folderOf(entry.file), spec.target);
      if (files === undefined) return entry;
      const known = { ...spec, target: { ...spec.target, files } };
      return {
        ...entry,
        subject: { ...entry.subject, files },
        spec: { ...known, fingerprint: fingerprintOf(known) },
      };
    }),
  );
}

async function merge(entries: readonly ConfigEntry[], options: FleetOptions, problems: ConfigProblem[]) {
  if (entries.length === 0) return { specs: [], waiting: [] };
  const { mergeEntries } = await import("./merge.js");
  const kept =
    options.approvals === undefined ? await readApprovals(options.home) : { records: options.approvals };
  if (kept.problem !== undefined) problems.push({ severity: "warning", message: kept.problem });
  const merged = mergeEntries(entries, kept.records, options.previous);
  problems.push(...merged.problems);
  return merged;
}

/** Lists of specs on top of each other: later ones win by id and say whom they hide; held ones hide nobody. */
function stack(lists: readonly (readonly ServerSpec[])[]): ServerSpec[] {
  const specs = new Map<string, ServerSpec>();
  for (const spec of lists.flat()) {
    const below = specs.get(spec.id);
    if (below !== undefined && spec.held !== undefined && spec.held.kind !== "network-off") continue;
    const hides = spec.hides ?? (below?.file === spec.file ? undefined : below?.file);
    specs.set(spec.id, hides === undefined ? spec : { ...spec, hides });
  }
  return [...specs.values()];
}

function readableSecrets(file: string, entries: readonly ConfigEntry[]): ConfigProblem[] {
  const scope = entries[0]?.scope;
  if (scope === "project" || !entries.some((each) => (each.spec?.secrets.length ?? 0) > 0)) return [];
  const message = "other users of this machine can read the env and header values in this file";
  return [{ severity: "warning", file, message, hint: `chmod 600 ${file}` }];
}
