import { isRecord } from "../fields/fields.js";
import { readMcpServers } from "./mcpServers.js";
import type { RawFile } from "./raw.js";
import { wrongShape } from "./raw.js";
import { readSettings } from "./settings.js";

/** Files of other programs, known by a key of theirs. */
const foreign: Readonly<Record<string, string>> = {
  context_servers: "Zed",
  mcp_servers: "Codex",
  extensions: "Goose",
};

/** The entries of a file, whose dialect is known by its shape and not by its name. */
export function entriesOf(root: unknown): RawFile {
  if (!isRecord(root)) return wrongShape("", 'the file must hold an object like {"mcpServers": {...}}');
  const sections: RawFile[] = [];
  if (root["mcp"] !== undefined) sections.push(readSection(root["mcp"]));
  if (root["mcpServers"] !== undefined) sections.push(readMcpServers(root["mcpServers"], "mcpServers"));
  if (Array.isArray(root["servers"])) sections.push(readSettings(root, ""));
  // VS Code's name for the same map.
  else if (root["servers"] !== undefined) sections.push(readMcpServers(root["servers"], "servers"));
  if (sections.length > 0) return joined(sections);
  const program = Object.keys(foreign).find((key) => Object.hasOwn(root, key));
  if (program !== undefined) {
    return wrongShape(
      program,
      `this is a file of ${foreign[program]}`,
      "take it over with: mcpvisor import FILE",
    );
  }
  return isBareMap(root) ? readMcpServers(root, "") : { entries: [], problems: [] };
}

function readSection(section: unknown): RawFile {
  if (isRecord(section) && (isRecord(section["servers"]) || isForeignMap(section))) {
    return wrongShape(
      "mcp",
      "is a map of servers as opencode writes it",
      "take it over with: mcpvisor import FILE",
    );
  }
  return readSettings(section, "mcp");
}

function isForeignMap(section: Readonly<Record<string, unknown>>): boolean {
  return Object.values(section).some(
    (each) => isRecord(each) && (each["type"] === "local" || each["type"] === "remote"),
  );
}

/** A map of servers without anything around it: every value looks like a server. */
function isBareMap(root: Readonly<Record<string, unknown>>): boolean {
  const values = Object.values(root);
  return values.length > 0 && values.every((each) => isRecord(each) && ("command" in each || "url" in each));
}

function joined(sections: readonly RawFile[]): RawFile {
  return {
    entries: sections.flatMap((each) => each.entries),
    problems: sections.flatMap((each) => each.problems),
  };
}
