import { ConfigError } from "../../errors.js";
import type { Fields } from "../fields/fields.js";
import { isRecord } from "../fields/fields.js";
import type { Host } from "./hosts.js";
import { importEntry } from "./entry.js";
import type { ImportedServer } from "./report.js";

export type { Host } from "./hosts.js";
export type { ImportedServer } from "./report.js";

/** A file of another program as read. */
export interface ImportReport {
  readonly host: Host;
  readonly servers: readonly ImportedServer[];
  /** What concerns the whole file. */
  readonly notes: readonly string[];
}

/**
 * Reads the MCP servers of another program's file (JSON with comments, TOML or YAML, told by the name, otherwise tried);
 * the program is known by the shape unless it is named. Throws ConfigError when there is nothing to read. The parsers
 * of TOML and YAML are loaded only when needed.
 */
export async function importConfig(
  text: string,
  options: { file: string; host?: Host },
): Promise<ImportReport> {
  const root = await parsed(text, options.file);
  const found = isRecord(root) ? serversOf(root, options.file) : undefined;
  if (found === undefined)
    throw new ConfigError(`${options.file} holds no MCP servers in a form that is known`);
  const host = options.host ?? found.host;
  const servers = Object.entries(found.servers).map(([name, value]) => importEntry(host, name, value));
  return { host, servers, notes: found.notes };
}

async function parsed(text: string, file: string): Promise<unknown> {
  try {
    if (/\.toml$/i.test(file)) {
      const { parse } = await import("smol-toml");
      return parse(text);
    }
    if (/\.ya?ml$/i.test(file)) {
      const { parse } = await import("yaml");
      return parse(text) as unknown;
    }
  } catch {
    // The parsers' messages quote lines of the file, which may hold secrets: neither they nor a cause go on.
    throw new ConfigError(`${file} cannot be read: it has a syntax error`);
  }
  const { readJsonc } = await import("../files/jsonc.js");
  const source = readJsonc(text);
  if (source.ok) return source.value;
  const first = source.errors[0];
  throw new ConfigError(`${file}:${first?.line}:${first?.column}: ${first?.message}`);
}

interface Found {
  readonly host: Host;
  readonly servers: Fields;
  readonly notes: readonly string[];
}

function serversOf(root: Fields, file: string): Found | undefined {
  const inner = isRecord(root["mcp"]) ? root["mcp"] : undefined;
  const notes = [
    ...(root["inputs"] === undefined
      ? []
      : ["inputs: nobody is asked for inputs here; they became variables"]),
    ...projectNotes(root["projects"]),
  ];
  if (isRecord(root["mcp_servers"])) return { host: "codex", servers: root["mcp_servers"], notes };
  if (isRecord(root["context_servers"])) return { host: "zed", servers: root["context_servers"], notes };
  if (isRecord(root["extensions"])) return { host: "goose", servers: root["extensions"], notes };
  if (isRecord(root["servers"])) return { host: "vscode", servers: root["servers"], notes };
  if (isRecord(root["mcpServers"]))
    return { host: hostOf(root["mcpServers"], file), servers: root["mcpServers"], notes };
  if (inner === undefined) return undefined;
  if (!isRecord(inner["servers"])) return { host: "opencode", servers: inner, notes };
  const types = Object.values(inner["servers"]).map((each) => (isRecord(each) ? each["type"] : undefined));
  // Formerly VS Code kept its servers there, too, in its settings.
  const host = types.some((each) => each === "local" || each === "remote") ? "opencode" : "vscode";
  return { host, servers: inner["servers"], notes };
}

/** Claude Code keeps the servers of single projects beside those of the user (`claude mcp add`). */
function projectNotes(projects: unknown): string[] {
  return Object.entries(isRecord(projects) ? projects : {}).flatMap(([folder, project]) => {
    const names =
      isRecord(project) && isRecord(project["mcpServers"]) ? Object.keys(project["mcpServers"]) : [];
    const listed = names.map((each) => JSON.stringify(each)).join(", ");
    return names.length === 0
      ? []
      : [`project ${folder}: left out ${listed}; write them into ${folder}/.mcp.json, or add them by hand`];
  });
}

/** Several programs write `mcpServers`: by the name of the file, then by fields that only one of them has. */
function hostOf(servers: Fields, file: string): Host {
  if (/[\\/]\.gemini[\\/]/.test(file)) return "gemini";
  if (/[\\/]\.cursor[\\/]/.test(file)) return "cursor";
  if (/(?:cline_mcp_settings|mcp_settings)\.json$/.test(file)) return "cline";
  if (file.endsWith("mcp_config.json")) return "windsurf";
  const fields = new Set(Object.values(servers).flatMap((each) => (isRecord(each) ? Object.keys(each) : [])));
  const has = (...names: string[]): boolean => names.some((each) => fields.has(each));
  if (has("httpUrl", "trust", "includeTools", "excludeTools")) return "gemini";
  if (has("alwaysAllow", "watchPaths", "transportType")) return "cline";
  if (has("serverUrl", "disabledTools")) return "windsurf";
  return /\$\{(?:env:|workspaceFolder|userHome)/.test(JSON.stringify(servers)) ? "cursor" : "claude";
}
