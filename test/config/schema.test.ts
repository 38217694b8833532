import { mkdir, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { publishedSchemas } from "../../scripts/schema.js";
import { parseConfig } from "../../src/config/dialects/parse.js";
import { mcpSchema, settingsSchema } from "../../src/config/schema.js";
import { mcpServerFields } from "../../src/config/dialects/mcpServers.js";
import { serverFields } from "../../src/config/entries/serverFields.js";
import { defaultLimits } from "../../src/spec.js";

const folder = new URL("../../schema/", import.meta.url);

describe("the published schemas", () => {
  it.each(Object.entries(publishedSchemas()))(
    "%s is up to date (npm run docs:schema makes it anew)",
    async (name, text) => {
      if (process.env["UPDATE_DOCS"] === "1") {
        await mkdir(folder, { recursive: true });
        await writeFile(new URL(name, folder), text);
      }

      expect(await readFile(new URL(name, folder), "utf8")).toBe(text);
    },
  );

  it("describe every field that is read, and no other", () => {
    const schemas = publishedSchemas();
    const settings = JSON.parse(schemas["settings.json"]!) as typeof settingsShape;
    const mcp = JSON.parse(schemas["mcp.json"]!) as typeof mcpShape;
    const fields = settings.properties.mcp.properties.servers.items.properties;

    expect(Object.keys(fields).toSorted()).toEqual([...serverFields].toSorted());
    expect(Object.keys(mcp.properties.mcpServers.additionalProperties.properties).toSorted()).toEqual(
      mcpServerFields.toSorted(),
    );
    expect(Object.keys(fields.limits.properties).toSorted()).toEqual(Object.keys(defaultLimits).toSorted());
  });

  it.each<[object, boolean]>([
    [{ command: "x" }, true],
    [{ command: "x", args: ["a"], env: { A: 1, B: true }, timeout: "1h30m", limits: { depth: 3 } }, true],
    [{ command: "x", timeout: 5000, shutdown: { eof: "0s" }, health: 0 }, true],
    [{ url: "https://example.com", type: "http", headers: { A: "b" } }, true],
    [{ command: "x", futureOption: 1 }, true],
    [{ command: 1 }, false],
    [{ command: "x", args: "a" }, false],
    [{ command: "x", args: [1] }, false],
    [{ command: "x", env: { A: null } }, false],
    [{ command: "x", timeout: -5 }, false],
    [{ command: "x", timeout: "soon" }, false],
    [{ command: "x", timeout: "30m1h" }, false],
    [{ url: "https://example.com", type: "carrier-pigeon" }, false],
    [{ command: "x", restart: "always" }, false],
    [{ command: "x", enabled: "yes" }, false],
    [{ command: "x", protocolVersion: "latest" }, false],
    [{ command: "x", tools: { include: "a" } }, false],
  ])("judge %j as the reader of files does: %s", (server, valid) => {
    const context = { file: "/x/f.json", node: "node", python: "python3", env: {} };
    const read = parseConfig(JSON.stringify({ mcpServers: { a: server } }), context);

    expect(mcpSchema.safeParse({ mcpServers: { a: server } }).success).toBe(valid);
    expect(read.entries[0]?.spec !== undefined).toBe(valid);
  });

  it("judge ids and seconds of settings.json", () => {
    expect(isValid({ id: "a", command: "x", timeout: 600 })).toBe(true);
    expect(isValid({ id: "A", command: "x" })).toBe(false);
    expect(isValid({ command: "x" })).toBe(false);
    expect(isValid({ id: "a", command: "x", timeout: 601 })).toBe(false);
  });
});

function isValid(server: object): boolean {
  return settingsSchema.safeParse({ mcp: { servers: [server] }, theme: "dark" }).success;
}

declare const settingsShape: {
  properties: {
    mcp: { properties: { servers: { items: { properties: { limits: { properties: object } } } } } };
  };
};
declare const mcpShape: {
  properties: { mcpServers: { additionalProperties: { properties: object } } };
};
