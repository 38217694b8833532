import { describe, expect, it } from "vitest";
import { inlineFleet } from "../../src/config/entries/inline.js";
import type { ServerConfig } from "../../src/config/entries/input.js";
import { normalizeServer } from "../../src/config/entries/normalize.js";

const inline = { scope: "inline" } as const;
const least = { id: "files", command: "node" };

/** What JSON can hold, where TypeScript would not let it pass. */
function odd(value: unknown): ServerConfig {
  return value as ServerConfig;
}

function fingerprint(more: object): string | undefined {
  const config = { ...least, args: ["a", "b"], env: { A: "1", B: "2" }, ...more };
  return normalizeServer(odd(config), inline).spec?.fingerprint;
}

function problemsOf(value: unknown): [path: string | undefined, message: string, severity: string][] {
  return normalizeServer(odd(value), inline).problems.map((each) => [each.path, each.message, each.severity]);
}

describe("normalizeServer", () => {
  it("fills in every default", () => {
    const { spec, problems } = normalizeServer(least, inline);

    expect(problems).toEqual([]);
    expect(spec).toEqual({
      id: "files",
      name: "files",
      scope: "inline",
      dialect: "settings",
      trusted: true,
      enabled: true,
      target: { kind: "stdio", command: "node", args: [], env: {}, inherit: "safe", pass: [] },
      callTimeoutMs: 60_000,
      connectTimeoutMs: 20_000,
      restart: "lazy",
      lazy: false,
      sharing: "auto",
      required: false,
      retry: "never",
      autoApprove: [],
      tools: {},
      coerce: true,
      outputSchema: "warn",
      limits: {
        messageBytes: 16_777_216,
        depth: 200,
        pages: 20,
        tools: 500,
        schemaBytes: 262_144,
        resultChars: 12_000,
        stderrLines: 20,
        stderrBytes: 65_536,
        inFlight: 16,
        queued: 256,
        unsentBytes: 8_388_608,
      },
      healthEveryMs: 0,
      shutdown: { eofMs: 2000, termMs: 2000, killMs: 3000 },
      chaos: false,
      secrets: [],
      fingerprint: expect.stringMatching(/^[a-z0-9]{13}$/),
    });
  });

  it("takes every field of a stdio server", () => {
    const { spec, problems } = normalizeServer(
      {
        id: "all",
        name: "All of it",
        transport: "stdio",
        command: "uvx",
        args: ["pkg"],
        env: { TOKEN: "tok-123456" },
        cwd: "work",
        enabled: false,
        auto_approve: ["read"],
        timeout: 5,
        connectTimeout: "45s",
        trusted: false,
        restart: "eager",
        lazy: true,
        required: true,
        idleTimeout: 90,
        maxLifetime: "12h",
        retry: "safe",
        inherit: "minimal",
        pass: ["GITHUB_TOKEN"],
        tools: { include: ["read"], exclude: ["write"] },
        limits: { queued: 0 },
        protocolVersion: "2025-06-18",
        coerce: false,
        outputSchema: "fail",
        health: "1m",
        chaos: true,
        shutdown: { eof: 0, term: "250ms", kill: 1 },
      },
      { scope: "settings", file: "/s/settings.json", folder: "/s", limits: { queued: 9, inFlight: 2 } },
    );

    expect(problems).toEqual([]);
    expect(spec).toMatchObject({
      name: "All of it",
      scope: "settings",
      file: "/s/settings.json",
      trusted: false,
      enabled: false,
      target: {
        kind: "stdio",
        command: "uvx",
        args: ["pkg"],
        env: { TOKEN: "tok-123456" },
        cwd: "/s/work",
        inherit: "minimal",
        pass: ["GITHUB_TOKEN"],
      },
      callTimeoutMs: 5000,
      connectTimeoutMs: 45_000,
      restart: "eager",
      lazy: true,
      required: true,
      idleTimeoutMs: 90_000,
      maxLifetimeMs: 43_200_000,
      retry: "safe",
      autoApprove: ["read"],
      tools: { include: ["read"], exclude: ["write"] },
      protocolVersion: "2025-06-18",
      coerce: false,
      outputSchema: "fail",
      limits: { queued: 0, inFlight: 2, depth: 200 },
      healthEveryMs: 60_000,
      shutdown: { eofMs: 0, termMs: 250, killMs: 1000 },
      chaos: true,
      secrets: ["tok-123456"],
    });
  });

  it("takes an http server, and keeps its headers and credentials of its query as secrets", () => {
    const { spec, problems } = normalizeServer(
      {
        id: "web",
        url: "https://example.com/mcp?api_key=k-123456&page=42",
        headers: { "X-Org": "acme-inc" },
      },
      { ...inline, secrets: ["from-a-placeholder"] },
    );

    expect(problems).toEqual([]);
    expect(spec?.target).toEqual({
      kind: "http",
      url: "https://example.com/mcp?api_key=k-123456&page=42",
      headers: { "X-Org": "acme-inc" },
    });
    expect(spec?.secrets).toEqual(["acme-inc", "from-a-placeholder", "k-123456"]);
  });

  it("holds servers with a url back when the network is off, and no others", () => {
    const off = { ...inline, network: false };

    expect(normalizeServer({ id: "web", url: "https://example.com/" }, off).spec?.held?.kind).toBe(
      "network-off",
    );
    expect(normalizeServer(least, off).spec?.held).toBeUndefined();
  });

  it("counts plain numbers of mcpServers files in milliseconds and waits 5 minutes by default", () => {
    const file = { scope: "user", numbersAre: "ms" } as const;

    expect(normalizeServer(least, file).spec?.callTimeoutMs).toBe(300_000);
    expect(normalizeServer({ ...least, timeout: 5000 }, file).spec?.callTimeoutMs).toBe(5000);
    expect(normalizeServer({ ...least, timeout: "1h30m" }, file).spec?.callTimeoutMs).toBe(5_400_000);
  });

  it.each([
    ["inline", undefined, true],
    ["settings", undefined, true],
    ["user", undefined, true],
    ["user", false, false],
    ["project", undefined, false],
    ["project", true, false],
  ] as const)("trusts a server of scope %s that says trusted: %s: %s", (scope, trusted, expected) => {
    const config = trusted === undefined ? least : { ...least, trusted };

    expect(normalizeServer(config, { scope }).spec?.trusted).toBe(expected);
  });

  it("lets a project server be trusted once somebody else says that its word counts", () => {
    const project = { scope: "project", mayTrust: true } as const;

    expect(normalizeServer({ ...least, trusted: true }, project).spec?.trusted).toBe(true);
    expect(normalizeServer(least, project).spec?.trusted).toBe(false);
  });

  it.each<[unknown, string]>([
    [{ ...least, id: "" }, "id"],
    [{ ...least, id: "Files" }, "id"],
    [{ ...least, id: "a".repeat(33) }, "id"],
    [{ ...least, id: "__proto__" }, "id"],
    [{ ...least, id: 7 }, "id"],
    [{ command: "node" }, "id"],
    [{ ...least, name: "a\u202Eb" }, "name"],
    [{ ...least, name: "" }, "name"],
    [{ id: "x" }, "command"],
    [{ id: "x", command: 1 }, "command"],
    [{ id: "x", command: "  " }, "command"],
    [{ id: "x", command: "a\0b" }, "command"],
    [{ ...least, args: "one" }, "args"],
    [{ ...least, args: ["one", 8080] }, "args.1"],
    [{ ...least, env: { A: null } }, "env.A"],
    [{ ...least, env: { A: {} } }, "env.A"],
    [{ ...least, env: { "A=B": "x" } }, "env.A=B"],
    [{ ...least, env: { A: "x\0" } }, "env.A"],
    [{ ...least, env: [] }, "env"],
    [{ ...least, headers: {} }, "headers"],
    [{ ...least, url: "https://example.com" }, "url"],
    [{ ...least, transport: "http" }, "command"],
    [{ ...least, transport: "carrier-pigeon" }, "transport"],
    [{ id: "x", transport: "http" }, "url"],
    [{ id: "x", transport: "stdio", url: "https://example.com" }, "url"],
    [{ id: "x", url: "not a url" }, "url"],
    [{ id: "x", url: "file:///etc/hosts" }, "url"],
    [{ id: "x", url: "http://example.com/mcp" }, "url"],
    [{ id: "x", url: "http://127.0.0.1.example.com/mcp" }, "url"],
    [{ id: "x", url: "https://me:pass@example.com/mcp" }, "url"],
    [{ id: "x", url: "https://example.com", env: {} }, "env"],
    [{ id: "x", url: "https://example.com", headers: { "a b": "c" } }, "headers.a b"],
    [{ id: "x", url: "https://example.com", headers: { A: "b\r\nc: d" } }, "headers.A"],
    [{ ...least, timeout: 0 }, "timeout"],
    [{ ...least, timeout: 601 }, "timeout"],
    [{ ...least, timeout: -5 }, "timeout"],
    [{ ...least, timeout: "soon" }, "timeout"],
    [{ ...least, enabled: "yes" }, "enabled"],
    [{ ...least, restart: "always" }, "restart"],
    [{ ...least, tools: { exclude: "x" } }, "tools.exclude"],
    [{ ...least, limits: { depth: 0 } }, "limits.depth"],
    [{ ...least, limits: { depth: 1.5 } }, "limits.depth"],
    [{ ...least, protocolVersion: "latest" }, "protocolVersion"],
    [{ ...least, shutdown: { eof: "11m" } }, "shutdown.eof"],
  ])("refuses %j at %s", (config, path) => {
    const { spec, problems } = normalizeServer(odd(config), inline);

    expect(spec).toBeUndefined();
    expect(problems.filter((each) => each.severity === "error").map((each) => each.path)).toEqual([path]);
  });

  it.each([null, [], "node", 1, undefined])("refuses %j instead of an object", (config) => {
    expect(normalizeServer(odd(config), inline).spec).toBeUndefined();
    expect(problemsOf(config)).toHaveLength(1);
  });

  it("accepts plain http to this machine only", () => {
    for (const host of ["127.0.0.1:9", "localhost", "[::1]:80"]) {
      expect(normalizeServer({ id: "x", url: `http://${host}/mcp` }, inline).problems).toEqual([]);
    }
  });

  it("notes an unknown option with what was meant, and goes on", () => {
    const { spec, problems } = normalizeServer(
      odd({ ...least, autoAprove: ["x"], futureOption: 1, "x-mine": 1 }),
      inline,
    );

    expect(spec?.id).toBe("files");
    expect(problems.map((each) => [each.path, each.severity, each.hint])).toEqual([
      ["autoAprove", "warning", 'did you mean "auto_approve"?'],
      ["futureOption", "warning", undefined],
    ]);
  });

  it("names the closest word for a mistyped choice", () => {
    expect(normalizeServer(odd({ ...least, restart: "eagr" }), inline).problems[0]?.hint).toBe(
      'did you mean "eager"?',
    );
  });

  it("warns about a command that looks like a line for a shell, not about a path with spaces", () => {
    expect(problemsOf({ id: "x", command: "npx -y pkg" })).toEqual([
      ["command", "holds spaces and is taken as the name of one program", "warning"],
    ]);
    expect(problemsOf({ id: "x", command: "/opt/my tools/run me" })).toEqual([]);
  });

  it("turns numbers and booleans of env into text", () => {
    const { spec } = normalizeServer(odd({ ...least, env: { N: 1, B: true } }), inline);

    expect(spec?.target).toMatchObject({ env: { N: "1", B: "true" } });
  });

  it("says where a problem is when it knows the file", () => {
    const { problems } = normalizeServer(odd({ id: "x" }), {
      scope: "user",
      file: "/m.json",
      path: "mcpServers.x",
    });

    expect(problems).toEqual([
      {
        severity: "error",
        server: "x",
        file: "/m.json",
        path: "mcpServers.x.command",
        message: "is missing: a server needs a command or a url",
      },
    ]);
  });

  it("never repeats a value in a problem", () => {
    const secret = "tok-SECRET-98765";
    const wrong = {
      id: "x",
      url: `http://example.com/?k=${secret}`,
      headers: { A: `${secret}\n`, [secret]: null },
    };

    const messages = normalizeServer(odd(wrong), inline).problems.map(
      (each) => each.message + (each.hint ?? ""),
    );

    expect(messages.join("\n")).not.toContain(secret);
  });
});

describe("the fingerprint of a server", () => {
  it("stays when nothing that concerns the process changes", () => {
    const same = fingerprint({});

    expect(fingerprint({ env: { B: "2", A: "1" } })).toBe(same);
    expect(fingerprint({ timeout: 5, name: "Other", auto_approve: ["x"], tools: { exclude: ["y"] } })).toBe(
      same,
    );
    expect(fingerprint({ limits: { inFlight: 3, queued: 1, resultChars: 5 }, enabled: true })).toBe(same);
    expect(fingerprint({ inherit: "safe", transport: "stdio" })).toBe(same);
  });

  it.each([
    { args: ["b", "a"] },
    { args: ["ab"] },
    { command: "nodejs" },
    { env: { A: "1", B: "3" } },
    { env: { A: "1" } },
    { cwd: "/tmp" },
    { pass: ["X"] },
    { inherit: "all" },
    { trusted: false },
    { protocolVersion: "2025-06-18" },
    { limits: { messageBytes: 5 } },
  ])("changes with %j", (more) => {
    expect(fingerprint(more)).not.toBe(fingerprint({}));
  });
});

describe("inlineFleet", () => {
  it("keeps the good servers when others are wrong or there twice", () => {
    const { specs, problems } = inlineFleet([
      least,
      odd({ id: "bad" }),
      { id: "files", command: "other" },
      { id: "b", command: "b" },
    ]);

    expect(specs.map((each) => [each.id, each.target])).toMatchObject([
      ["files", { command: "node" }],
      ["b", { command: "b" }],
    ]);
    expect(problems.map((each) => each.path)).toEqual(["servers.1.command", "servers.2.id"]);
  });
});
