import type { FieldContext, Fields } from "../fields/fields.js";
import { flag, isRecord, noteUnknown, tell } from "../fields/fields.js";
import { serverFields } from "../entries/serverFields.js";
import type { RawFile } from "./raw.js";
import { entryAt, wrongShape } from "./raw.js";

/** Dialect (b): a map of names to servers, as most hosts write it. */
export function readMcpServers(map: unknown, path: string): RawFile {
  if (!isRecord(map)) return wrongShape(path, "must be an object of servers by name");
  const around = path === "" ? [] : [path];
  const entries = Object.entries(map).map(([name, value]) =>
    entryAt("mcpServers", name, [...around, name], value),
  );
  return { entries, problems: [] };
}

/** Names of transports as they are found in the wild. */
const transports: Readonly<Record<string, string>> = {
  stdio: "stdio",
  // Copilot's and opencode's word.
  local: "stdio",
  http: "http",
  "streamable-http": "http",
  streamableHttp: "http",
  streamable_http: "http",
  sse: "sse",
};

/** Fields of this dialect; id and name are the key of the entry. */
export const mcpServerFields = [
  "type",
  "disabled",
  ...serverFields.filter((each) => !["id", "name", "transport"].includes(each)),
];

/** Other spellings that mean the same. */
export const spellings: ReadonlyMap<string, string> = new Map([
  ["type", "transport"],
  ["serverUrl", "url"],
  ["httpUrl", "url"],
]);

/** Approvals that another host gave are not ours: a person has to say it again in our words. */
const foreignApprovals = new Set(["autoApprove", "alwaysAllow", "trust"]);

/**
 * Puts an entry of this dialect into the words of ServerConfig. `context.written` remembers what the file calls a
 * field, so that problems speak of what stands there. Unknown fields are noted and left out.
 */
export function translate(context: FieldContext, value: Fields, id: string, name: string): Fields {
  const result = new Map<string, unknown>([
    ["id", id],
    ["name", name],
  ]);
  const unknown: [string, unknown][] = [];
  for (const [field, each] of Object.entries(value)) {
    const canonical = spellings.get(field) ?? field;
    // Other programs write null for "nothing".
    if (canonical === "disabled" || each === null) continue;
    if (foreignApprovals.has(field)) noteApproval(context, field);
    else if (canonical !== "transport" && !mcpServerFields.includes(canonical)) unknown.push([field, each]);
    else {
      if (result.has(canonical)) tell(context, field, `says the same as another field (${canonical})`);
      if (canonical !== field) context.written?.set(canonical, field);
      result.set(canonical, valueOf(canonical, each));
    }
  }
  noteUnknown(context, Object.fromEntries(unknown), [
    ...mcpServerFields,
    ...spellings.keys(),
    ...foreignApprovals,
  ]);
  if (value["disabled"] !== null && flag(context, value, "disabled") === true) result.set("enabled", false);
  return Object.fromEntries(result);
}

function valueOf(field: string, value: unknown): unknown {
  if (field === "transport") return transportOf(value);
  return field === "tools" ? toolsOf(value) : value;
}

/** Copilot writes a list of the tools to offer, `["*"]` for all of them. */
function toolsOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.includes("*") ? {} : { include: value };
}

function transportOf(value: unknown): unknown {
  return typeof value === "string" && Object.hasOwn(transports, value) ? transports[value] : value;
}

function noteApproval(context: FieldContext, field: string): void {
  tell(context, field, "is an approval given to another program; it does not count here", {
    severity: "warning",
    hint: "list the tools that may run without asking in auto_approve",
  });
}
