import { ConfigError } from "../../errors.js";
import type { ContextOptions } from "../dialects/context.js";
import { idsOf } from "../dialects/ids.js";
import { translate } from "../dialects/mcpServers.js";
import { entryAt } from "../dialects/raw.js";
import type { Fields } from "../fields/fields.js";
import type { ServerConfig } from "../entries/input.js";
import { saveEntry, showEntry, tryEntry } from "../store/store.js";
import { maskEntry } from "../store/view.js";
import type { ImportedServer } from "./report.js";

/** What became of one server of another program's file. */
export interface TakenOver {
  readonly name: string;
  /** Its id with us; absent when it cannot be carried over at all. */
  readonly id?: string;
  /** `valid`: it would be written; nothing is in a dry run. */
  readonly outcome: "written" | "valid" | "refused" | "exists" | "invalid";
  /** What is written, with every env and header value as `********`. */
  readonly entry?: Fields;
  /** What was left out or has to be looked at, in sentences for a person; never values. */
  readonly notes: readonly string[];
}

/**
 * Writes imported servers into a file of ours, each by itself: what cannot be written is told and hinders no other.
 * A server that the file has already stays as it is. With `dryRun` everything is judged and nothing written.
 */
export async function takeOver(
  file: string,
  servers: readonly ImportedServer[],
  options: ContextOptions & { readonly dryRun?: boolean },
): Promise<TakenOver[]> {
  const ids = idsOf(servers.map(({ name, entry }) => entryAt("mcpServers", name, [name], entry)));
  const results: TakenOver[] = [];
  // One after the other: all of them change the same file.
  for (const [index, server] of servers.entries())
    results.push(await takeOne(file, server, ids[index]!, options));
  return results;
}

async function takeOne(
  file: string,
  { name, entry, notes }: ImportedServer,
  id: string,
  options: ContextOptions & { readonly dryRun?: boolean },
): Promise<TakenOver> {
  if (entry === undefined) return { name, outcome: "refused", notes };
  const fields = translate({ server: name, path: "", problems: [] }, entry, id, name);
  const about = { name, id, entry: maskEntry(fields) };
  if ((await showEntry(file, id)) !== undefined) return { ...about, outcome: "exists", notes };
  const config = fields as unknown as ServerConfig;
  try {
    if (options.dryRun) await tryEntry(file, config, options);
    else await saveEntry(file, config, options);
    return { ...about, outcome: options.dryRun ? "valid" : "written", notes };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { ...about, outcome: "invalid", notes: [error.message, ...notes] };
  }
}
