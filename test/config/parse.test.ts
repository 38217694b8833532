import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ParseContext } from "../../src/config/dialects/parse.js";
import { parseConfig } from "../../src/config/dialects/parse.js";
import { sha256 } from "../../src/tools/sha256.js";

const context: ParseContext = {
  file: "/w/servers.json",
  node: "/usr/bin/node",
  python: "python3",
  workspace: "/w",
  home: "/state",
  env: { CASE_A: "value-of-a", TOKEN: "tok-123456" },
};

function parse(value: unknown, more: Partial<ParseContext> = {}) {
  return parseConfig(typeof value === "string" ? value : JSON.stringify(value), { ...context, ...more });
}

describe("parseConfig", () => {
  it("reads comments, trailing commas and a byte order mark (C085)", () => {
    const text = `\uFEFF// a line comment before the object
{
  "mcpServers": {
    /* a block comment with "quotes" and { braces } */
    "first": {
      "command": "node", // after a value
      "args": ["env.mjs", "https://example.invalid/a//b", "/* no comment */", "tricky ,] ,} // text",],
    },
    // "switched-off": { "command": "node" },
    "second": { "command": "node", "args": ["env.mjs"] },
  },
}`;
    const { entries, problems, broken } = parse(text);

    expect({ broken, problems }).toEqual({ broken: false, problems: [] });
    expect(entries.map((each) => [each.id, each.spec?.target])).toMatchObject([
      [
        "first",
        { args: ["env.mjs", "https://example.invalid/a//b", "/* no comment */", "tricky ,] ,} // text"] },
      ],
      ["second", { args: ["env.mjs"] }],
    ]);
  });

  it("calls a file with a syntax error broken, with line, column and reason (C085)", () => {
    expect(parse('{\n  "mcpServers": {\n    "a": { "command": "x" \n')).toMatchObject({
      broken: true,
      entries: [],
      problems: [
        {
          severity: "error",
          file: "/w/servers.json",
          message: "close brace expected (and 2 more after it)",
          line: 4,
          column: 1,
        },
      ],
    });
  });

  it("keeps the good entries beside the bad ones, and names each bad field (C086)", () => {
    const text = `{
  "mcpServers": {
    "good": { "command": "node", "args": ["env.mjs"] },
    "noCommand": { "args": ["env.mjs"] },
    "numberCommand": { "command": 1 },
    "textArgs": { "command": "node", "args": "env.mjs" },
    "numberArg": { "command": "node", "args": ["env.mjs", 8080] },
    "envValues": { "command": "node", "env": { "N": 1, "B": true, "Z": null, "O": {} } },
    "badUrl": { "url": "not a url" },
    "fileUrl": { "url": "file:///etc/hosts" },
    "both": { "command": "node", "url": "http://127.0.0.1:9/mcp" },
    "unknownType": { "type": "carrier-pigeon", "url": "http://127.0.0.1:9/mcp" },
    "negativeTimeout": { "command": "node", "timeout": -5 },
    "nullEntry": null,
    "listEntry": [],
    "": { "command": "node" },
    "__proto__": { "command": "node" },
    "also good": { "command": "node", "futureOption": { "x": 1 } }
  }
}`;
    const { entries, problems, broken } = parse(text);

    expect(broken).toBe(false);
    expect(entries.filter((each) => each.spec !== undefined).map((each) => each.name)).toEqual([
      "good",
      "also good",
    ]);
    expect(problems.map((each) => [each.severity, each.path, each.line])).toEqual([
      ["error", "mcpServers.noCommand.command", 4],
      ["error", "mcpServers.numberCommand.command", 5],
      ["error", "mcpServers.textArgs.args", 6],
      ["error", "mcpServers.numberArg.args.1", 7],
      ["error", "mcpServers.envValues.env.Z", 8],
      ["error", "mcpServers.envValues.env.O", 8],
      ["error", "mcpServers.badUrl.url", 9],
      ["error", "mcpServers.fileUrl.url", 10],
      ["error", "mcpServers.both.url", 11],
      ["error", "mcpServers.unknownType.type", 12],
      ["error", "mcpServers.negativeTimeout.timeout", 13],
      ["error", "mcpServers.nullEntry", 14],
      ["error", "mcpServers.listEntry", 15],
      ["error", "mcpServers.", 16],
      ["error", "mcpServers.__proto__", 17],
      ["warning", "mcpServers.also good.futureOption", 18],
    ]);
    expect(problems.find((each) => each.path === "mcpServers.numberArg.args.1")?.column).toBe(59);
    expect(({} as Record<string, unknown>)["command"]).toBeUndefined();
  });

  it("warns about a name that stands twice and takes the last (C091)", () => {
    const { entries, problems } = parse(
      '{"mcpServers": {\n"twice": {"command": "node", "args": ["first"]},\n"twice": {"command": "node", "args": ["second"]}}}',
    );

    expect(entries.map((each) => each.spec?.target)).toMatchObject([{ args: ["second"] }]);
    expect(problems).toEqual([
      {
        severity: "warning",
        file: "/w/servers.json",
        path: "mcpServers.twice",
        line: 3,
        column: 1,
        message: '"twice" stands here twice; the last one counts',
      },
    ]);
  });

  it("gives the same server for other white space, key order and written-out defaults (C088)", () => {
    const before = parse({
      mcpServers: { keep: { command: "node", args: ["a"], env: { A: "1", TOKEN: "${CASE_A}" } } },
    });
    const after = parse(`{ // comment
      "mcpServers": { "keep": { "env": { "TOKEN": "\${CASE_A}", "A": "1" },
                                "args": ["a"], "command": "node", "disabled": false } } }`);

    expect(after.entries[0]?.spec).toEqual(before.entries[0]?.spec);
    expect(before.entries[0]?.spec?.secrets).toEqual(["1", "value-of-a"]);
  });

  it("reads the settings dialect with the folder of the file as cwd", () => {
    const { entries, problems } = parse(
      {
        theme: "dark",
        mcp: {
          servers: [
            { id: "a", name: "Server A", command: "${node}", args: ["${repo}/x.mjs"], timeout: 5 },
            { id: "B" },
          ],
        },
      },
      { file: "/state/settings.json" },
    );

    expect(entries[0]?.spec).toMatchObject({
      id: "a",
      name: "Server A",
      scope: "settings",
      file: "/state/settings.json",
      trusted: true,
      callTimeoutMs: 5000,
      target: { command: "/usr/bin/node", args: ["/state/x.mjs"], cwd: "/state" },
    });
    expect(problems.map((each) => [each.path, each.server])).toEqual([
      ["mcp.servers.1.id", "B"],
      ["mcp.servers.1.command", "B"],
    ]);
  });

  it("makes a file without our section a file without servers", () => {
    expect(parse({ theme: "dark" })).toEqual({ broken: false, entries: [], problems: [] });
    expect(parse({ mcp: {} })).toEqual({ broken: false, entries: [], problems: [] });
    expect(parse({ mcpServers: {} })).toEqual({ broken: false, entries: [], problems: [] });
  });

  it.each([
    [{ servers: { a: { type: "stdio", command: "x" } } }, "servers.a"],
    [{ servers: [{ id: "a", command: "x" }] }, "servers.0"],
    [{ a: { command: "x" } }, "a"],
    [{ mcpServers: { a: { type: "http", url: "https://example.com" } } }, "mcpServers.a"],
  ])("knows the shape of %j", (value, path) => {
    expect(parse(value).entries.map((each) => [each.id, each.path])).toEqual([["a", path]]);
  });

  it.each([
    [[], "", undefined],
    ["text", "", undefined],
    [{ mcpServers: [] }, "mcpServers", undefined],
    [{ mcp: { servers: "x" } }, "mcp.servers", undefined],
    [{ context_servers: {} }, "context_servers", "take it over with: mcpvisor import FILE"],
    [{ mcp: { a: { type: "local", command: ["x"] } } }, "mcp", "take it over with: mcpvisor import FILE"],
  ])("refuses the shape of %j", (value, path, hint) => {
    const { broken, problems } = parse(JSON.stringify(value));

    expect(broken).toBe(true);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.path ?? "").toBe(path);
    expect(problems[0]?.hint).toBe(hint);
  });

  it("understands the spellings of other hosts and speaks of what stands there", () => {
    const { entries, problems } = parse({
      mcpServers: {
        web: { type: "streamable-http", serverUrl: "https://example.com/mcp" },
        old: { type: "sse", url: "https://example.com/sse" },
        off: { command: "x", disabled: true, autoApprove: ["all"] },
        wrong: { httpUrl: "ftp://example.com" },
        twice: { url: "https://a.example", serverUrl: "https://b.example" },
      },
    });

    expect(
      entries.map((each) => [each.id, each.spec?.target.kind, each.spec?.enabled, each.spec?.autoApprove]),
    ).toEqual([
      ["web", "http", true, []],
      ["old", "sse", true, []],
      ["off", "stdio", false, []],
      ["wrong", undefined, undefined, undefined],
      ["twice", undefined, undefined, undefined],
    ]);
    expect(problems.map((each) => [each.severity, each.path])).toEqual([
      ["warning", "mcpServers.off.autoApprove"],
      ["error", "mcpServers.wrong.httpUrl"],
      ["error", "mcpServers.twice.serverUrl"],
    ]);
  });

  it("names the variable and the field of an unset placeholder, and only that entry is invalid", () => {
    const { entries, problems } = parse({
      mcpServers: {
        a: { command: "x", env: { KEY: "${NOPE}" } },
        b: { command: "x", env: { KEY: "${TOKEN}" } },
      },
    });

    expect(entries.map((each) => each.spec?.id)).toEqual([undefined, "b"]);
    expect(problems).toMatchObject([
      { server: "a", path: "mcpServers.a.env.KEY", message: "the variable NOPE is not set", line: 1 },
    ]);
  });

  it("fills placeholders in command, args, cwd, env, url and headers, and nowhere else", () => {
    const { entries } = parse({
      mcpServers: {
        a: { command: "$TOKEN", args: ["$TOKEN"], cwd: "/$TOKEN", env: { K: "$TOKEN" }, pass: ["$TOKEN"] },
        b: { url: "https://example.com/$TOKEN", headers: { H: "Bearer $TOKEN" } },
      },
    });

    expect(entries.map((each) => each.spec?.target)).toMatchObject([
      {
        command: "tok-123456",
        args: ["tok-123456"],
        cwd: "/tok-123456",
        env: { K: "tok-123456" },
        pass: ["$TOKEN"],
      },
      { url: "https://example.com/tok-123456", headers: { H: "Bearer tok-123456" } },
    ]);
    expect(entries.map((each) => each.spec?.secrets)).toEqual([
      ["tok-123456"],
      ["Bearer tok-123456", "tok-123456"],
    ]);
  });

  it("gives names that are no ids an id that is the same at every start and unique", () => {
    const names = ["My Server!", "my-server", "Ünïcode", "日本", "a".repeat(60), "also good"];
    const read = () =>
      parse({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: "x" }])) }).entries.map(
        (each) => each.id,
      );

    expect(read()).toEqual(read());
    expect(new Set(read()).size).toBe(6);
    expect(read()[0]).toMatch(/^my-server-[a-z0-9]{7}$/);
    expect(read()[1]).toBe("my-server");
    expect(read()[2]).toMatch(/^u-ni-code-[a-z0-9]{7}$|^unicode-[a-z0-9]{7}$/);
    expect(read()[3]).toMatch(/^server-[a-z0-9]{7}$/);
    for (const id of read()) expect(id).toMatch(/^[a-z0-9_-]{1,32}$/);
  });

  it("never trusts a project file, whatever it says about itself", () => {
    const { entries } = parse({ mcpServers: { a: { command: "x", trusted: true } } }, { scope: "project" });

    expect(entries[0]?.spec?.trusted).toBe(false);
    expect(entries[0]?.subject.trusted).toBe(true);
  });

  it("takes over no approval and no value into what is to be approved", () => {
    const { entries } = parse(
      {
        mcpServers: {
          a: { command: "x", args: ["${TOKEN}"], env: { B: "secret-1", A: "$CASE_A" }, pass: ["P"] },
        },
      },
      { scope: "project" },
    );

    expect(entries[0]?.subject).toEqual({
      transport: "stdio",
      command: "x",
      args: ["${TOKEN}"],
      env: { A: sha256("$CASE_A"), B: sha256("secret-1") },
      headers: {},
      pass: ["P"],
      reads: ["CASE_A", "P", "TOKEN"],
    });
  });

  it("never throws and gives valid specs only, whatever the file holds", () => {
    const field = fc.constantFrom(
      "command",
      "url",
      "args",
      "env",
      "headers",
      "timeout",
      "type",
      "cwd",
      "limits",
      "tools",
    );
    const entry = fc.dictionary(
      field,
      fc.oneof(fc.constant("x"), fc.jsonValue(), fc.constant("https://example.com")),
    );
    const file = fc.oneof(fc.jsonValue(), fc.record({ mcpServers: fc.dictionary(fc.string(), entry) }));
    fc.assert(
      fc.property(file, (value) => {
        const { entries } = parse(value);
        for (const { id, spec, problems } of entries) {
          const failed = problems.some((each) => each.severity === "error");
          expect(failed).toBe(spec === undefined);
          expect(failed || /^[a-z0-9_-]{1,32}$/.test(id)).toBe(true);
        }
        const ids = entries.filter((each) => each.spec !== undefined).map((each) => each.id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });
});
