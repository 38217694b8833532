import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { ToolDefinition } from "../../../src/builtin/serve/tool.js";

/** The table of docs/builtin-servers.md; with UPDATE_DOCS=1 it is written there first. */
export async function toolTable(root: string, tools: readonly ToolDefinition[]): Promise<string> {
  const rows = tools.map((tool) => {
    const fields = Object.entries(tool.input.shape).map(([name, field]) =>
      field.safeParse(undefined).success ? `${name}?` : name,
    );
    const does = tool.kind === "read" ? "reads" : "**asks**";
    return `| ${tool.service} | \`${tool.name}\` | ${does} | ${tool.title} | ${fields.join(", ")} |`;
  });
  const table = `${["| service | tool | | what | arguments |", "| --- | --- | --- | --- | --- |", ...rows].join("\n")}\n`;
  if (process.env["UPDATE_DOCS"] === "1") await update(resolve(root, "docs/builtin-servers.md"), table);
  return table;
}

async function update(path: string, table: string): Promise<void> {
  const text = await readFile(path, "utf8");
  const next = text.replace(
    /(<!-- tools -->\n)[^]*?(<!-- \/tools -->)/,
    (_, start: string, end: string) => `${start}${table}${end}`,
  );
  await writeFile(path, next);
}
