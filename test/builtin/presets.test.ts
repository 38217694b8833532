import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { installFolder, presets } from "../../src/builtin/presets.js";
import { connectorTools } from "../../src/builtin/connectors/tools.js";
import { gmailTools } from "../../src/builtin/gmail/tools.js";
import { toolTable } from "./support/docTable.js";

const root = resolve(import.meta.dirname, "../..");

describe("the presets", () => {
  it("describe both servers, switched off, by the files that are built", () => {
    expect(presets().map(({ id, enabled, command }) => [id, enabled, command])).toEqual([
      ["gmail", false, "${node}"],
      ["connectors", false, "${node}"],
    ]);
    for (const { args } of presets()) {
      expect(args[0]).toMatch(/^\$\{mcpvisor\}\//);
      expect(existsSync((args[0] ?? "").replace("${mcpvisor}", installFolder() ?? ""))).toBe(true);
      expect(args.slice(1, 3)).toEqual(["--home", "${home}"]);
    }
  });
});

describe("the docs", () => {
  it("hold a table of all tools as they are (UPDATE_DOCS=1 writes it)", async () => {
    const expected = await toolTable(root, [...gmailTools, ...connectorTools]);
    const text = await readFile(resolve(root, "docs/builtin-servers.md"), "utf8");
    const [, table] = /<!-- tools -->\n([^]*?)<!-- \/tools -->/.exec(text) ?? [];

    expect(table).toBe(expected);
  });

  it.each(["src/builtin/gmail/README.md", "src/builtin/connectors/README.md", "docs/builtin-servers.md"])(
    "say in %s that the host has to ask",
    async (file) => {
      const text = await readFile(resolve(root, file), "utf8");

      expect(text.replaceAll(/\s+/g, " ")).toContain("makes no permission decisions: the host must ask");
    },
  );
});
