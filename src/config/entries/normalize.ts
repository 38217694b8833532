import type { ConfigProblem } from "../../errors.js";
import { legacyRevisions, modernRevisions } from "../../protocol/revision.js";
import type { FieldContext, Fields } from "../fields/fields.js";
import {
  choice,
  duration,
  flag,
  group,
  isRecord,
  kindOf,
  noteUnknown,
  tell,
  text,
  texts,
} from "../fields/fields.js";
import { fingerprintOf } from "./fingerprint.js";
import { idRule, isId, nameProblem } from "./identity.js";
import type { ServerConfig } from "./input.js";
import { readLimits } from "../fields/limits.js";
import type { Limits, Scope, ServerSpec } from "../../spec.js";
import { readTarget, secretsOf } from "../fields/target.js";

/** What an entry does not say about itself. */
export interface NormalizeContext {
  readonly scope: Scope;
  readonly file?: string;
  /** Path of the entry in its file, for problems. */
  readonly path?: string;
  /** The folder a relative or missing `cwd` refers to. */
  readonly folder?: string;
  /**
   * What plain numbers of time mean, and with it the default call timeout (60 s, or 5 min for `ms`) and the dialect that
   * decides about permissions when no mode is set. Default: s.
   */
  readonly numbersAre?: "s" | "ms";
  /** Limits of the fleet; the entry's own win. */
  readonly limits?: Partial<Limits>;
  /** Whether the `trusted` of the entry itself counts; a file must not trust itself. Default: not for projects. */
  readonly mayTrust?: boolean;
  /** False holds servers with a url back. Default: true. */
  readonly network?: boolean;
  /** Further values that must never be shown, such as those of placeholders. */
  readonly secrets?: readonly string[];
  /** What the file calls a field, where that is not our name for it. */
  readonly written?: Map<string, string>;
}

/** The fields of an entry, as data for schemas, hints and documentation. */
export const serverFields = [
  "id",
  "name",
  "transport",
  "command",
  "args",
  "env",
  "cwd",
  "url",
  "headers",
  "enabled",
  "auto_approve",
  "timeout",
  "connectTimeout",
  "trusted",
  "restart",
  "lazy",
  "required",
  "idleTimeout",
  "maxLifetime",
  "retry",
  "inherit",
  "pass",
  "tools",
  "limits",
  "protocolVersion",
  "coerce",
  "outputSchema",
  "health",
  "chaos",
  "shutdown",
] as const satisfies readonly (keyof ServerConfig)[];

/**
 * Turns one entry into the spec the engine works with: every field checked, every default filled in. Without a `spec`
 * there is at least one problem of severity `error`; a spec may come with warnings.
 */
export function normalizeServer(
  config: ServerConfig,
  context: NormalizeContext,
): { spec?: ServerSpec; problems: ConfigProblem[] } {
  const fields: unknown = config;
  const problems: ConfigProblem[] = [];
  const told: FieldContext = {
    server: serverLabel(fields),
    path: context.path ?? "",
    problems,
    ...(context.file === undefined ? {} : { file: context.file }),
    ...(context.written === undefined ? {} : { written: context.written }),
  };
  if (!isRecord(fields)) {
    tell(told, "", `a server must be an object of fields, not ${kindOf(fields)}`);
    return { problems };
  }
  const spec = readServer(told, fields, context);
  noteUnknown(told, fields, serverFields);
  return spec !== undefined && problems.every((each) => each.severity === "warning")
    ? { spec, problems }
    : { problems };
}

function readServer(told: FieldContext, fields: Fields, context: NormalizeContext): ServerSpec | undefined {
  const id = text(told, fields, "id");
  if (fields["id"] === undefined) tell(told, "id", `is missing: ${idRule}`);
  else if (id !== undefined && !isId(id)) tell(told, "id", `must be ${idRule}`);
  const given = text(told, fields, "name");
  const name = given ?? id ?? "";
  const wrongName = given === undefined ? undefined : nameProblem(given);
  if (wrongName !== undefined) tell(told, "name", wrongName);
  const target = readTarget(told, fields, context.folder);
  const trusted = readTrust(told, fields, context);
  const limits = readLimits(told, fields, context.limits);
  const times = readTimes(told, fields, context);
  const behaviour = readBehaviour(told, fields);
  if (target === undefined || id === undefined) return undefined;
  const secrets = [...new Set([...secretsOf(target), ...(context.secrets ?? [])])].filter(Boolean).toSorted();
  // Field by field: V8 gives a long object that is spread together a layout of its own, larger than the object.
  const spec: Mutable<ServerSpec> = {
    id,
    name,
    scope: context.scope,
    dialect: context.numbersAre === "ms" ? "mcpServers" : "settings",
    trusted,
    enabled: behaviour.enabled,
    target,
    callTimeoutMs: times.callTimeoutMs,
    connectTimeoutMs: times.connectTimeoutMs,
    restart: behaviour.restart,
    lazy: behaviour.lazy,
    required: behaviour.required,
    retry: behaviour.retry,
    autoApprove: behaviour.autoApprove,
    tools: behaviour.tools,
    coerce: behaviour.coerce,
    outputSchema: behaviour.outputSchema,
    limits,
    healthEveryMs: times.healthEveryMs,
    shutdown: times.shutdown,
    chaos: behaviour.chaos,
    secrets,
    fingerprint: "",
  };
  if (times.idleTimeoutMs !== undefined) spec.idleTimeoutMs = times.idleTimeoutMs;
  if (times.maxLifetimeMs !== undefined) spec.maxLifetimeMs = times.maxLifetimeMs;
  if (behaviour.protocolVersion !== undefined) spec.protocolVersion = behaviour.protocolVersion;
  if (context.file !== undefined) spec.file = context.file;
  if (context.network === false && target.kind !== "stdio") spec.held = networkOff;
  spec.fingerprint = fingerprintOf(spec);
  return spec;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const networkOff = {
  kind: "network-off",
  message: "the network is switched off (option network); servers with a url are not connected",
} as const;

function readTrust(told: FieldContext, fields: Fields, context: NormalizeContext): boolean {
  const asked = flag(told, fields, "trusted");
  if (context.mayTrust ?? context.scope !== "project") return asked ?? context.scope !== "project";
  return false;
}

function readTimes(told: FieldContext, fields: Fields, context: NormalizeContext) {
  const numbersAre = context.numbersAre ?? "s";
  const time = (field: string, atLeastMs: number, atMostMs?: number): number | undefined =>
    duration(told, fields, field, { numbersAre, atLeastMs, ...(atMostMs === undefined ? {} : { atMostMs }) });
  // Plain numbers of seconds are 1 to 600; a longer wait has to be written out as a duration.
  const seconds = numbersAre === "s" && typeof fields["timeout"] === "number";
  const callTimeoutMs = seconds ? time("timeout", 1000, 600_000) : time("timeout", 1);
  return {
    callTimeoutMs: callTimeoutMs ?? (numbersAre === "s" ? 60_000 : 300_000),
    connectTimeoutMs: time("connectTimeout", 1) ?? 20_000,
    healthEveryMs: time("health", 0) ?? 0,
    shutdown: readShutdown(told, fields, numbersAre),
    idleTimeoutMs: time("idleTimeout", 1),
    maxLifetimeMs: time("maxLifetime", 1),
  };
}

function readShutdown(told: FieldContext, fields: Fields, numbersAre: "s" | "ms"): ServerSpec["shutdown"] {
  const given = group(told, fields, "shutdown") ?? {};
  const inner = { ...told, path: [told.path, "shutdown"].filter((each) => each !== "").join(".") };
  const step = (field: string, otherwise: number): number =>
    duration(inner, given, field, { numbersAre, atLeastMs: 0, atMostMs: 600_000 }) ?? otherwise;
  noteUnknown(inner, given, ["eof", "term", "kill"]);
  return { eofMs: step("eof", 2000), termMs: step("term", 2000), killMs: step("kill", 3000) };
}

function readBehaviour(told: FieldContext, fields: Fields) {
  const version = choice(told, fields, "protocolVersion", ["auto", ...modernRevisions, ...legacyRevisions]);
  const tools = group(told, fields, "tools") ?? {};
  const inner = { ...told, path: [told.path, "tools"].filter((each) => each !== "").join(".") };
  const include = texts(inner, tools, "include");
  const exclude = texts(inner, tools, "exclude");
  noteUnknown(inner, tools, ["include", "exclude"]);
  return {
    enabled: flag(told, fields, "enabled") ?? true,
    restart: choice(told, fields, "restart", ["lazy", "eager", "never"]) ?? ("lazy" as const),
    lazy: flag(told, fields, "lazy") ?? false,
    required: flag(told, fields, "required") ?? false,
    retry: choice(told, fields, "retry", ["never", "safe"]) ?? ("never" as const),
    autoApprove: texts(told, fields, "auto_approve") ?? [],
    tools: { ...(include === undefined ? {} : { include }), ...(exclude === undefined ? {} : { exclude }) },
    coerce: flag(told, fields, "coerce") ?? true,
    outputSchema: choice(told, fields, "outputSchema", ["warn", "fail", "off"]) ?? ("warn" as const),
    chaos: flag(told, fields, "chaos") ?? false,
    protocolVersion: version,
  };
}

function serverLabel(fields: unknown): string {
  if (!isRecord(fields)) return "";
  const label = fields["name"] ?? fields["id"];
  return typeof label === "string" ? label : "";
}
