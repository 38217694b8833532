import type { ConfigProblem } from "../../errors.js";
import type { ServerConfig } from "../entries/input.js";
import type { FieldContext, Fields } from "../fields/fields.js";
import { isRecord } from "../fields/fields.js";
import { fillEntry } from "../fields/fill.js";
import type { PlaceholderValues } from "../fields/placeholders.js";
import { idsOf } from "./ids.js";
import { readMcpServers, translate } from "./mcpServers.js";

const times = ["timeout", "connectTimeout", "health", "idleTimeout", "maxLifetime"];

/** An `mcpServers` object of a program as entries in our words, placeholders filled in; read as the same text in a file. */
export function configsOf(
  map: unknown,
  values: Omit<PlaceholderValues, "repo">,
): { readonly configs: readonly ServerConfig[]; readonly problems: readonly ConfigProblem[] } {
  const raw = readMcpServers(map, "mcpServers");
  const ids = idsOf(raw.entries);
  const problems: ConfigProblem[] = [...raw.problems];
  const configs = raw.entries.flatMap(({ name, path, value }, index): ServerConfig[] => {
    const told: FieldContext = { server: name, path, problems, written: new Map() };
    if (!isRecord(value)) {
      problems.push({
        severity: "error",
        server: name,
        path,
        message: "a server must be an object of fields",
      });
      return [];
    }
    const before = problems.length;
    const { fields } = fillEntry(told, translate(told, value, ids[index] ?? name, name), values);
    const failed = problems.slice(before).some((each) => each.severity === "error");
    return failed ? [] : [inOurUnits(fields) as unknown as ServerConfig];
  });
  return { configs, problems };
}

/** Plain numbers of this dialect are milliseconds, and a call may take five minutes. */
function inOurUnits(fields: Fields): Fields {
  const shutdown = fields["shutdown"];
  return {
    timeout: "5m",
    ...fields,
    ...Object.fromEntries(times.flatMap((name) => milliseconds(name, fields[name]))),
    ...(isRecord(shutdown)
      ? {
          shutdown: {
            ...shutdown,
            ...Object.fromEntries(
              Object.entries(shutdown).flatMap(([name, value]) => milliseconds(name, value)),
            ),
          },
        }
      : {}),
  };
}

function milliseconds(name: string, value: unknown): [string, string][] {
  return typeof value === "number" ? [[name, `${value}ms`]] : [];
}
