import type { ConfigProblem } from "../../errors.js";
import type { ServerConfig } from "./input.js";
import { normalizeServer } from "./normalize.js";
import type { Limits, ServerSpec } from "../../spec.js";

/** Servers as the engine works with them, and what was wrong with the others. */
export interface Fleet {
  readonly specs: readonly ServerSpec[];
  readonly problems: readonly ConfigProblem[];
}

/**
 * The servers that a host passes as options, without any file: at once, and without loading a parser. A wrong entry is
 * a problem of severity `error` and never hides the others; the second of two equal ids is wrong.
 */
export function inlineFleet(
  servers: readonly ServerConfig[],
  options: { readonly limits?: Partial<Limits>; readonly network?: boolean } = {},
): Fleet {
  const specs = new Map<string, ServerSpec>();
  const problems: ConfigProblem[] = [];
  for (const [index, config] of servers.entries()) {
    const path = `servers.${index}`;
    const read = normalizeServer(config, { ...options, scope: "inline", path });
    problems.push(...read.problems);
    if (read.spec === undefined) continue;
    if (!specs.has(read.spec.id)) specs.set(read.spec.id, read.spec);
    else problems.push(twice(read.spec, path));
  }
  return { specs: [...specs.values()], problems };
}

function twice(spec: ServerSpec, path: string): ConfigProblem {
  return {
    severity: "error",
    server: spec.name,
    path: `${path}.id`,
    message: `another server has the id "${spec.id}" already`,
  };
}
