import { join } from "node:path";
import type { SaveOptions, ServerConfig, ServerPatch } from "../config/entries/input.js";
import { normalizeServer } from "../config/entries/normalize.js";
import { patched } from "../config/store/patch.js";
import { viewOf } from "../config/store/view.js";
import type { ServerSpec } from "../spec.js";
import { stars } from "../policy/secrets.js";
import { ConfigError } from "../errors.js";
import type { SupervisorOptions } from "./contract/options.js";

/** Where a server entry is written down and can be changed. */
export interface EntryStore {
  /** The file, or "inline" for entries that live in this process only. */
  readonly file: string;
  save(config: ServerConfig | ServerPatch, options: SaveOptions): Promise<void>;
  remove(id: string): Promise<boolean>;
  enable(id: string, enabled: boolean): Promise<boolean>;
}

export interface InlineStore extends EntryStore {
  list(): readonly ServerConfig[];
}

/** The servers of the options; saving changes them for the life of the supervisor. */
export function inlineStore(servers: readonly ServerConfig[]): InlineStore {
  let list = [...servers];
  return {
    file: "inline",
    list: () => list,
    async save(config, { merge = false }) {
      const stored = list.find((each) => each.id === config.id);
      const next = merge ? patched({ ...stored }, { ...config }) : config;
      const full = await withStored(next as unknown as ServerConfig, stored);
      const { spec, problems } = normalizeServer(full, { scope: "inline" });
      if (spec === undefined) {
        throw new ConfigError(
          `the server "${config.id}" cannot be saved: ${problems.map(textOf).join("; ")}`,
          problems,
        );
      }
      list = [...list.filter((each) => each.id !== config.id), full];
    },
    async remove(id) {
      const before = list.length;
      list = list.filter((each) => each.id !== id);
      return list.length < before;
    },
    async enable(id, enabled) {
      const known = list.some((each) => each.id === id);
      list = list.map((each) => (each.id === id ? Object.assign({}, each, { enabled }) : each));
      return known;
    },
  };
}

/** Picks the store an entry belongs to: the file it came from, else the settings file of the state folder, else inline. */
export function storeFor(
  id: string,
  specs: readonly ServerSpec[],
  inline: InlineStore,
  options: SupervisorOptions,
  home: string,
): EntryStore {
  const spec = specs.find((each) => each.id === id);
  if (spec?.scope === "inline") return inline;
  const file =
    spec?.file ?? (options.discover === true ? join(home, "settings.json") : options.configFiles?.at(-1));
  return file === undefined ? inline : fileStore(file, home, options.workspace);
}

function fileStore(file: string, home: string, workspace: string | undefined): EntryStore {
  const context = { home, ...(workspace === undefined ? {} : { workspace }) };
  return {
    file,
    async save(config, saveOptions) {
      const { saveEntry } = await import("../config/store/store.js");
      await saveEntry(file, config, context, saveOptions);
    },
    async remove(id) {
      const { removeEntryOf } = await import("../config/store/store.js");
      return removeEntryOf(file, id);
    },
    async enable(id, enabled) {
      const { enableEntry } = await import("../config/store/store.js");
      return enableEntry(file, id, enabled);
    },
  };
}

/** `********` stands for what is stored, as in a file. */
async function withStored(config: ServerConfig, stored: ServerConfig | undefined): Promise<ServerConfig> {
  if (stored === undefined && !JSON.stringify(config).includes(stars)) return config;
  const { restoreStars } = await import("../config/store/written.js");
  const { spec } = normalizeServer(stored ?? config, { scope: "inline" });
  const known = { fields: { ...stored }, ...(spec === undefined ? {} : { view: viewOf(spec) }) };
  const { fields, missing } = restoreStars({ ...config }, known);
  if (missing.length === 0) return fields as unknown as ServerConfig;
  throw new ConfigError(
    `the server "${config.id}" cannot be saved: ${missing.map((path) => `${path} is ${stars}, and there is no stored value to keep for this command or origin`).join("; ")}`,
  );
}

function textOf({ path, message }: { path?: string; message: string }): string {
  return path === undefined ? message : `${path} ${message}`;
}
