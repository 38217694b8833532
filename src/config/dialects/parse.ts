import type { ConfigProblem } from "../../errors.js";
import type { ApprovalSubject } from "../entries/approval.js";
import { subjectOf } from "../entries/approval.js";
import { translate } from "./mcpServers.js";
import { fleetProxy } from "./fleetProxy.js";
import { idsOf } from "./ids.js";
import type { RawEntry } from "./raw.js";
import { entriesOf } from "./shape.js";
import type { FieldContext, Fields } from "../fields/fields.js";
import { isRecord, kindOf, tell } from "../fields/fields.js";
import { fillEntry } from "../fields/fill.js";
import { nameProblem } from "../entries/identity.js";
import { readJsonc, syntaxProblems } from "../files/jsonc.js";
import type { NormalizeContext } from "../entries/normalize.js";
import { normalizeServer } from "../entries/normalize.js";
import { folderOf } from "../fields/paths.js";
import type { PlaceholderValues } from "../fields/placeholders.js";
import type { Limits, Scope, ServerSpec } from "../../spec.js";

/** What a file does not say about itself. */
export interface ParseContext extends Omit<PlaceholderValues, "repo"> {
  readonly file: string;
  /** Default: `settings` for a settings file, `user` for an `mcpServers` file. */
  readonly scope?: Scope;
  readonly limits?: Partial<Limits>;
  readonly network?: boolean;
}

/** One entry of a file. Without a `spec` it is invalid, and `problems` say why. */
export interface ConfigEntry {
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
  readonly file: string;
  /** Where it stands in the file. */
  readonly path: string;
  readonly spec?: ServerSpec;
  /** What a project file's entry needs an approval for. */
  readonly subject: ApprovalSubject;
  /** Its fields in our words, placeholders not filled in: for the question about it. */
  readonly written: Fields;
  readonly problems: readonly ConfigProblem[];
}

export interface ParsedConfig {
  /** The file cannot be read as configuration at all: a running fleet keeps what it had from it. */
  readonly broken: boolean;
  readonly entries: readonly ConfigEntry[];
  /** For all servers of the fleet whose entry names none; not believed of a project's file. */
  readonly proxy?: string | false;
  /** Everything that is wrong, of the file and of its entries, with line and column, in the order of the file. */
  readonly problems: readonly ConfigProblem[];
}

/** Reads a configuration file of either dialect. Pure: the environment and the paths are arguments. Never throws. */
export function parseConfig(text: string, context: ParseContext): ParsedConfig {
  const { file } = context;
  const source = readJsonc(text);
  if (!source.ok) {
    return { broken: true, entries: [], problems: syntaxProblems(source.errors, file) };
  }
  const raw = entriesOf(source.value);
  const place = (problem: ConfigProblem): ConfigProblem => ({
    ...problem,
    file,
    ...source.locate(problem.path ?? ""),
  });
  const ids = idsOf(raw.entries);
  const entries = raw.entries.flatMap((each, index) => readEntry(each, ids[index]!, context, place));
  const ofFile = [...raw.problems.map(place), ...source.duplicates.map((each) => duplicate(each, file))];
  const forAll = fleetProxy(source.value, { ...context, repo: folderOf(file) });
  const problems = [...ofFile, ...forAll.problems.map(place), ...entries.flatMap((each) => each.problems)];
  return {
    broken: raw.problems.some((each) => each.severity === "error"),
    entries,
    ...(forAll.proxy === undefined ? {} : { proxy: forAll.proxy }),
    problems: problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)),
  };
}

function readEntry(
  raw: RawEntry,
  id: string,
  context: ParseContext,
  place: (problem: ConfigProblem) => ConfigProblem,
): ConfigEntry {
  const scope = context.scope ?? (raw.dialect === "settings" ? "settings" : "user");
  const told: FieldContext = { server: raw.name, path: raw.path, problems: [], written: new Map() };
  const fields = fieldsOf(told, raw, id);
  const folder = folderOf(context.file);
  const filled = fillEntry(told, fields ?? {}, { ...context, repo: folder });
  const options: NormalizeContext = {
    scope,
    folder,
    file: context.file,
    path: raw.path,
    numbersAre: raw.dialect === "settings" ? "s" : "ms",
    secrets: filled.secrets,
    ...(told.written === undefined ? {} : { written: told.written }),
    ...(context.limits === undefined ? {} : { limits: context.limits }),
    ...(context.network === undefined ? {} : { network: context.network }),
  };
  const failed = told.problems.some((each) => each.severity === "error");
  // A text whose placeholder failed must not be judged as well: one slip, one problem.
  const read =
    failed || fields === undefined ? { problems: [] } : normalizeServer(filled.fields as never, options);
  const problems = [...told.problems, ...read.problems].map((each) => place({ ...each, server: raw.name }));
  const name = read.spec?.name ?? raw.name;
  const subject = subjectOf(fields ?? {}, filled.variables);
  const written = fields ?? {};
  const entry = { id, name, scope, file: context.file, path: raw.path, subject, written, problems };
  return failed || read.spec === undefined ? entry : { ...entry, spec: read.spec };
}

function fieldsOf(told: FieldContext, raw: RawEntry, id: string): Fields | undefined {
  if (raw.dialect === "mcpServers") {
    const wrong = nameProblem(raw.name);
    if (wrong !== undefined) return tell(told, "", wrong);
  }
  if (!isRecord(raw.value))
    return tell(told, "", `a server must be an object of fields, not ${kindOf(raw.value)}`);
  return raw.dialect === "settings" ? withoutNull(raw.value) : translate(told, raw.value, id, raw.name);
}

/** Programs that write the file write null for "nothing", in either dialect. */
function withoutNull(fields: Fields): Fields {
  return Object.values(fields).includes(null)
    ? Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
    : fields;
}

function duplicate(
  { path, line, column }: { path: string; line: number; column: number },
  file: string,
): ConfigProblem {
  const key = path.split(".").at(-1) ?? path;
  return {
    severity: "warning",
    file,
    path,
    line,
    column,
    message: `"${key}" stands here twice; the last one counts`,
  };
}
