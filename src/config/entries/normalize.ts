import type { ConfigProblem } from "../../errors.js";
import type { FieldContext, Fields } from "../fields/fields.js";
import { flag, isRecord, kindOf, noteUnknown, tell, text } from "../fields/fields.js";
import { readBehaviour } from "./behaviour.js";
import { fingerprintOf } from "./fingerprint.js";
import { networkOff } from "./network.js";
import { idRule, isId, nameProblem } from "./identity.js";
import type { ServerConfig } from "./input.js";
import { serverFields } from "./serverFields.js";
import { readTimes } from "./times.js";
import { readLimits } from "../fields/limits.js";
import type { Limits, Scope, ServerSpec } from "../../spec.js";
import { readOAuth, withOAuth } from "../fields/oauth.js";
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
  const target = withOAuth(
    readTarget(told, fields, context.folder),
    readOAuth(told, fields, context.scope === "project"),
  );
  const trusted = readTrust(told, fields, context);
  const limits = readLimits(told, fields, context.limits);
  const times = readTimes(told, fields, context.numbersAre ?? "s");
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
    sharing: behaviour.sharing,
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
  if (times.callTotalMs !== undefined) spec.callTotalMs = times.callTotalMs;
  if (times.idleTimeoutMs !== undefined) spec.idleTimeoutMs = times.idleTimeoutMs;
  if (times.maxLifetimeMs !== undefined) spec.maxLifetimeMs = times.maxLifetimeMs;
  if (behaviour.protocolVersion !== undefined) spec.protocolVersion = behaviour.protocolVersion;
  if (context.file !== undefined) spec.file = context.file;
  if (context.network === false && target.kind !== "stdio") spec.held = networkOff;
  spec.fingerprint = fingerprintOf(spec);
  return spec;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function readTrust(told: FieldContext, fields: Fields, context: NormalizeContext): boolean {
  const asked = flag(told, fields, "trusted");
  if (context.mayTrust ?? context.scope !== "project") return asked ?? context.scope !== "project";
  return false;
}

function serverLabel(fields: unknown): string {
  if (!isRecord(fields)) return "";
  const label = fields["name"] ?? fields["id"];
  return typeof label === "string" ? label : "";
}
