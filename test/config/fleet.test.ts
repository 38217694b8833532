import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { diffFleets } from "../../src/config/diff.js";
import type { FleetOptions } from "../../src/config/fleet.js";
import { loadFleet } from "../../src/config/fleet.js";
import { readApprovals, removeApproval, saveApproval } from "../../src/config/store/records.js";
import { put, temporaryFolder } from "./folder.js";

const surroundings = { node: "/usr/bin/node", platform: "linux", env: { CASE_A: "value-of-a" } };

/** A state folder and a workspace with these files, and a way to load the fleet from them. */
async function place(files: { settings?: unknown; user?: unknown; project?: unknown }) {
  const root = await temporaryFolder();
  const [home, workspace] = [join(root, "home"), join(root, "work")];
  await mkdir(home, { mode: 0o700 });
  await mkdir(workspace);
  const paths = {
    settings: join(home, "settings.json"),
    user: join(home, "mcp.json"),
    project: join(workspace, ".mcp.json"),
  };
  for (const name of ["settings", "user", "project"] as const) {
    if (files[name] !== undefined) await put(paths[name], files[name]);
  }
  const load = (more: Partial<FleetOptions> = {}) =>
    loadFleet({ home, workspace, discover: true, surroundings, ...more });
  return { ...paths, home, workspace, load };
}

/** Without the servers that ship with us. */
async function listed(loading: ReturnType<typeof loadFleet>) {
  const { specs } = await loading;
  return specs
    .filter((each) => each.scope !== "builtin")
    .map((each) => [each.id, each.scope, each.held?.kind ?? "free", each.hides === undefined ? "" : "hides"]);
}

const server = (...args: string[]) => ({ command: "node", args });
const projectShared = { mcpServers: { shared: server("from-project") } };
const userShared = { mcpServers: { shared: server("from-user"), mine: server() } };

const remote = { url: "https://example.com/mcp" };

const through = async (files: Parameters<typeof place>[0], more: Partial<FleetOptions> = {}) => {
  const { load } = await place(files);
  const { specs, problems } = await load(more);
  const proxies = specs
    .filter(({ scope }) => scope !== "builtin")
    .map(({ id, target }) => [id, target.kind === "stdio" ? "stdio" : target.proxy]);
  return { specs, problems, proxies: Object.fromEntries(proxies) };
};
const withServers = (proxy: unknown, ...servers: object[]) => ({ mcp: { proxy, servers } });
const withOne = (proxy: unknown) => ({ settings: withServers(proxy, { id: "a", ...remote }) });

describe("the proxy of the settings", () => {
  it("holds for every server with a url that names none, of whichever file", async () => {
    const { proxies, problems } = await through(
      {
        settings: withServers(
          "proxy.example:3128",
          { id: "a", ...remote },
          { id: "b", ...remote, proxy: false },
        ),
        user: { mcpServers: { c: { ...remote, proxy: "http://other:1" }, d: remote, e: server() } },
        project: { mcpServers: { f: remote } },
      },
      { servers: [{ id: "g", ...remote }] },
    );
    expect(problems).toEqual([]);
    expect(proxies).toEqual({
      a: "http://proxy.example:3128",
      b: false,
      c: "http://other:1",
      d: "http://proxy.example:3128",
      e: "stdio",
      f: "http://proxy.example:3128",
      g: "http://proxy.example:3128",
    });
  });

  it("is another life, and its password is a secret", async () => {
    const before = await through(withOne(undefined));
    const after = await through(withOne("http://me:${CASE_A}@proxy:1"));
    const of = ({ specs }: typeof before) => specs.find(({ id }) => id === "a")!;
    expect(of(after).fingerprint).not.toBe(of(before).fingerprint);
    expect(of(after).secrets).toEqual(expect.arrayContaining(["value-of-a"]));
  });

  it("false switches the proxies of the environment off", async () => {
    expect((await through({ settings: withServers(false, { id: "a", ...remote }) })).proxies).toEqual({
      a: false,
    });
  });

  it.each([
    ["ftp://proxy", /address of an http/],
    [7, /must be a text/],
    ["${NOT_THERE}", /NOT_THERE/],
  ])("%j is one problem with its place, and takes nothing away", async (proxy, message) => {
    const { proxies, problems } = await through({ settings: withServers(proxy, { id: "a", ...remote }) });
    expect(problems).toMatchObject([{ severity: "error", path: "mcp.proxy", line: expect.any(Number) }]);
    expect(problems[0]!.message).toMatch(message);
    expect(proxies).toEqual({ a: undefined });
  });

  it("of a project's file does not count", async () => {
    const { proxies } = await through({
      project: { mcp: { proxy: "http://evil:1" }, mcpServers: { f: remote } },
    });
    expect(proxies).toEqual({ f: undefined });
  });
});

/** How a difference shows one variable. */
function hashed(name: string): unknown {
  return expect.stringMatching(new RegExp(`^${name} \\(sha256 [0-9a-f]{12}\\)$`));
}

describe("loadFleet", () => {
  it("reads the files of all scopes, and shows what ships with us switched off", async () => {
    const { load, settings, user, project } = await place({
      settings: { mcp: { servers: [{ id: "a", ...server() }] } },
      user: { mcpServers: { b: server() } },
    });

    const fleet = await load({ servers: [{ id: "c", command: "c" }] });

    expect(fleet.problems).toEqual([]);
    expect(fleet.files).toEqual([settings, user, project]);
    expect(fleet.specs.map((each) => [each.id, each.scope, each.enabled])).toEqual([
      ["gmail", "builtin", false],
      ["connectors", "builtin", false],
      ["a", "settings", true],
      ["b", "user", true],
      ["c", "inline", true],
    ]);
  });

  it("starts nothing of a project file before it is approved, and says what waits (C092)", async () => {
    const { load, project } = await place({
      project: {
        mcpServers: {
          linter: { command: "node", args: ["x.mjs"], env: { LD_PRELOAD: "./evil.so", ORDINARY: "fine" } },
          shell: { command: "/bin/sh", args: ["-c", "touch was-run"] },
        },
      },
    });

    const { specs, waiting } = await load();

    expect(specs.filter((each) => each.scope === "project").map((each) => each.held?.kind)).toEqual([
      "approval-needed",
      "approval-needed",
    ]);
    expect(
      waiting.map(({ id, file, changed, subject }) => [
        id,
        file,
        changed,
        subject.command,
        Object.keys(subject.env),
      ]),
    ).toEqual([
      ["linter", project, false, "node", ["LD_PRELOAD", "ORDINARY"]],
      ["shell", project, false, "/bin/sh", []],
    ]);
  });

  it("lets dangerous variables of an approved entry through only when they were approved by name (C092)", async () => {
    const { load, home } = await place({
      project: { mcpServers: { linter: { command: "node", env: { LD_PRELOAD: "./evil.so" } } } },
    });
    const [entry] = (await load()).waiting;

    await saveApproval(home, entry!, { at: 1 });
    const plain = (await load()).specs.find((each) => each.id === "linter");
    await saveApproval(home, entry!, { at: 2, env: ["LD_PRELOAD"] });
    const named = (await load()).specs.find((each) => each.id === "linter");

    expect(plain).not.toHaveProperty("target.approvedEnv");
    expect(plain).not.toHaveProperty("held");
    expect(named).toHaveProperty("target.approvedEnv", ["LD_PRELOAD"]);
    expect(named?.fingerprint).not.toBe(plain?.fingerprint);
  });

  it("prefers the project's server once approved, and says which file it hides (C091)", async () => {
    const { load, home, user, project } = await place({ user: userShared, project: projectShared });
    const before = await load();

    await saveApproval(home, before.waiting[0]!, { at: 1 });
    const after = await load();

    expect(before.specs.find((each) => each.id === "shared")).toMatchObject({
      file: user,
      target: { args: ["from-user"] },
    });
    expect(before.waiting.map((each) => each.id)).toEqual(["shared"]);
    expect(after.specs.find((each) => each.id === "shared")).toMatchObject({
      file: project,
      hides: user,
      trusted: false,
      target: { args: ["from-project"] },
    });
    expect(after.specs.filter((each) => each.id === "shared")).toHaveLength(1);
    expect(after.waiting).toEqual([]);
  });

  it("hides nothing with an empty block (C091)", async () => {
    const { load } = await place({ user: userShared, project: { mcpServers: {} } });

    expect(await listed(load())).toEqual([
      ["shared", "user", "free", ""],
      ["mine", "user", "free", ""],
    ]);
  });

  it("asks again for any change of what runs, with the difference, and for no other (C095)", async () => {
    const { load, home, project } = await place({
      project: { mcpServers: { helper: { ...server("a.mjs"), env: { MODE: "safe" } } } },
    });
    await saveApproval(home, (await load()).waiting[0]!, { at: 1 });
    const ask = async (entry: unknown) => {
      await writeFile(project, JSON.stringify({ mcpServers: { helper: entry } }));
      return (await load()).waiting.map((each) => each.difference);
    };
    const env = { MODE: "safe" };

    expect(await ask({ command: "/bin/sh", args: ["-c", "touch x"], env })).toEqual([
      [
        { field: "command", before: "node", after: "/bin/sh" },
        { field: "args", before: "a.mjs", after: '-c "touch x"' },
      ],
    ]);
    expect(await ask({ ...server("-e", "0"), env })).toHaveLength(1);
    expect(await ask({ ...server("a.mjs"), env: { ...env, NODE_OPTIONS: "--require ./x.cjs" } })).toEqual([
      [
        {
          field: "env",
          before: hashed("MODE"),
          after: expect.stringMatching(/^MODE \(.*\) NODE_OPTIONS \(.*\)$/),
        },
      ],
    ]);
    expect(await ask({ ...server("a.mjs"), env, cwd: "/tmp" })).toEqual([
      [{ field: "cwd", before: "", after: "/tmp" }],
    ]);
    expect(await ask({ url: "https://mcp.example.invalid/mcp" })).toHaveLength(1);
    expect(await ask({ ...server("a.mjs"), env: { MODE: "${CASE_A}" } })).toEqual([
      [
        { field: "env", before: hashed("MODE"), after: hashed("MODE") },
        { field: "reads", before: "", after: "CASE_A" },
      ],
    ]);
    expect(await ask({ ...server("a.mjs"), env, pass: ["AWS_SECRET_ACCESS_KEY"] })).toHaveLength(1);
    expect(await ask({ ...server("a.mjs"), env, trusted: true, auto_approve: ["all"] })).toHaveLength(1);
    expect(await ask({ env: { MODE: "other" }, args: ["a.mjs"], command: "node" })).toEqual([
      [{ field: "env", before: hashed("MODE"), after: hashed("MODE") }],
    ]);
    expect(await ask({ env, args: ["a.mjs"], command: "node" })).toEqual([]);
    expect(await ask({ ...server("a.mjs"), env, timeout: 5000, auto_approve: ["all"] })).toEqual([]);
  });

  it("keeps the approved server, held back, when its entry changed; a running one is not replaced by it", async () => {
    const { load, home, project } = await place({ user: userShared, project: projectShared });
    await saveApproval(home, (await load()).waiting[0]!, { at: 1 });

    await writeFile(project, JSON.stringify({ mcpServers: { shared: server("changed") } }));

    expect(await listed(load())).toEqual([
      ["shared", "user", "free", ""],
      ["mine", "user", "free", ""],
    ]);
  });

  it("goes on with the approved version of a changed entry while it waits, unless the approval is gone (C095)", async () => {
    const { load, home, project } = await place({ project: projectShared });
    const first = (await load()).waiting[0]!;
    await saveApproval(home, first, { at: 1 });
    const previous = (await load()).specs;

    await writeFile(project, JSON.stringify({ mcpServers: { shared: server("changed") } }));
    const running = await load({ previous });
    await removeApproval(home, first);

    expect(running.specs).toEqual(previous);
    expect(running.waiting.map((each) => each.changed)).toEqual([true]);
    expect(await listed(load({ previous }))).toEqual([["shared", "project", "approval-needed", ""]]);
  });

  it("lets a project be trusted only by an approval of that wish", async () => {
    const { load, home } = await place({ project: { mcpServers: { a: { ...server(), trusted: true } } } });
    const before = await load();

    await saveApproval(home, before.waiting[0]!, { at: 1 });

    expect(before.specs.find((each) => each.id === "a")?.trusted).toBe(false);
    expect((await load()).specs.find((each) => each.id === "a")?.trusted).toBe(true);
  });

  it("does not ask about servers of a project that are switched off", async () => {
    const { load } = await place({ project: { mcpServers: { a: { ...server(), disabled: true } } } });

    expect((await load()).waiting).toEqual([]);
  });

  it("lists an invalid entry, held back with its reason, and lets it hide nobody", async () => {
    const { load } = await place({
      user: { mcpServers: { bad: { args: [] }, shared: server() } },
      project: { mcpServers: { shared: { command: 1 } } },
    });

    const { specs, problems } = await load();

    expect(specs.find((each) => each.id === "bad")?.held).toEqual({
      kind: "config-invalid",
      message: "mcpServers.bad.command is missing: a server needs a command or a url",
    });
    expect(specs.find((each) => each.id === "shared")).toMatchObject({ scope: "user" });
    expect(problems.map((each) => [each.server, each.severity])).toEqual([
      ["bad", "error"],
      ["shared", "error"],
    ]);
  });

  it("keeps what it had from a file that is broken now, and from an entry that is invalid now", async () => {
    const { load, user, settings } = await place({
      settings: { mcp: { servers: [{ id: "a", ...server() }] } },
      user: { mcpServers: { b: server("good"), c: server() } },
    });
    const previous = (await load()).specs;

    await writeFile(settings, "{ broken");
    await writeFile(user, JSON.stringify({ mcpServers: { b: { ...server("worse"), timeout: "soon" } } }));
    const now = await load({ previous });

    expect(now.broken).toEqual([settings]);
    expect(now.specs.find((each) => each.id === "a")).toEqual(previous.find((each) => each.id === "a"));
    expect(now.specs.find((each) => each.id === "b")).toEqual(previous.find((each) => each.id === "b"));
    expect(now.specs.some((each) => each.id === "c")).toBe(false);
    expect(now.problems.filter((each) => each.severity === "error").map((each) => each.file)).toContain(
      settings,
    );
  });

  it.each([0o620, 0o602, 0o666])("refuses a file that others may write (%o)", async (mode) => {
    const { load, user } = await place({ user: userShared });
    await chmod(user, mode);

    const { specs, problems, broken } = await load();

    expect(specs.filter((each) => each.scope === "user")).toEqual([]);
    expect(broken).toEqual([user]);
    expect(problems.map((each) => [each.severity, each.file, each.message])).toEqual([
      ["error", user, "the file can be written by others (chmod go-w); it is not used"],
    ]);
  });

  it("warns about values that other users can read", async () => {
    const { load, user } = await place({
      user: { mcpServers: { a: { ...server(), env: { TOKEN: "tok-123456" } } } },
    });
    await chmod(user, 0o644);

    expect((await load()).problems).toMatchObject([
      { severity: "warning", file: user, hint: `chmod 600 ${user}` },
    ]);
  });

  it("takes named files in order, later ones and inline servers on top", async () => {
    const { load, workspace } = await place({});
    const one = await put(join(workspace, "one.json"), { mcpServers: { a: server("1"), b: server("1") } });
    const two = await put(join(workspace, "two.json"), { mcpServers: { b: server("2"), c: server("2") } });

    const { specs, problems } = await load({
      discover: false,
      configFiles: [one, two, join(workspace, "none.json")],
      servers: [{ id: "c", command: "inline" }],
    });

    expect(specs.map((each) => [each.id, each.scope, each.file, each.hides])).toEqual([
      ["a", "user", one, undefined],
      ["b", "user", two, one],
      ["c", "inline", undefined, two],
    ]);
    expect(problems).toEqual([
      { severity: "error", file: join(workspace, "none.json"), message: "there is no such file" },
    ]);
  });

  it("takes a file by the conventional name of projects for untrusted, also when it is named", async () => {
    const { load, project } = await place({ project: projectShared });

    expect(await listed(load({ discover: false, configFiles: [project] }))).toEqual([
      ["shared", "project", "approval-needed", ""],
    ]);
  });

  it("refuses pipes, folders and files without end instead of waiting for them", async () => {
    const { load, workspace } = await place({});

    expect((await load({ configFiles: [workspace, "/dev/zero"] })).broken).toEqual([workspace, "/dev/zero"]);
  });
});

describe("approvals", () => {
  it("can be taken back, and survive each other", async () => {
    const { load, home } = await place({ project: { mcpServers: { a: server(), b: server() } } });
    const { waiting } = await load();

    await Promise.all(waiting.map((each) => saveApproval(home, each, { at: 1 })));
    expect((await load()).waiting).toEqual([]);
    expect(await removeApproval(home, waiting[0]!)).toBe(true);
    expect(await removeApproval(home, waiting[0]!)).toBe(false);

    expect((await load()).waiting.map((each) => each.id)).toEqual(["a"]);
  });

  it("count for nothing when the store is unreadable or was edited by hand", async () => {
    const { load, home } = await place({ project: { mcpServers: { a: server() } } });
    await saveApproval(home, (await load()).waiting[0]!, { at: 1 });
    const { records } = await readApprovals(home);

    await put(join(home, "approvals.json"), {
      version: 1,
      approvals: [{ ...records[0], subject: { ...records[0]?.subject, command: "/bin/sh" } }],
    });
    expect((await load()).waiting).toHaveLength(1);
    await put(join(home, "approvals.json"), "{");
    const broken = await load();

    expect(broken.waiting).toHaveLength(1);
    expect(broken.problems.map((each) => each.message).join()).toMatch(/approved anew/);
  });
});

describe("diffFleets", () => {
  it("restarts what changed and nothing else (C088)", async () => {
    const { load, user } = await place({
      user: {
        mcpServers: {
          keep: { ...server("x"), env: { A: "1", TOKEN: "${CASE_A}" } },
          change: server("one"),
          remove: server("x"),
          rename: { ...server("x"), timeout: "1m" },
        },
      },
    });
    const before = (await load()).specs;
    await writeFile(
      user,
      `{ // other white space, other key order and a written-out default: the same server
        "mcpServers": {
          "change": { "command": "node", "args": ["two"] },
          "added": { "command": "node", "args": ["x"] },
          "rename": { "command": "node", "args": ["x"], "timeout": "2m" },
          "keep": { "env": { "TOKEN": "\${CASE_A}", "A": "1" }, "args": ["x"], "command": "node", "disabled": false }
        } }`,
    );
    const after = (await load()).specs;

    const { added, removed, changed, unchanged } = diffFleets(before, after);

    expect(added.map((each) => each.id)).toEqual(["added"]);
    expect(removed).toEqual(["remove"]);
    expect(changed.map((each) => [each.spec.id, each.renew])).toEqual([
      ["change", true],
      ["rename", false],
    ]);
    expect(unchanged).toEqual(["gmail", "connectors", "keep"]);
    expect(diffFleets(after, (await load()).specs)).toMatchObject({ added: [], removed: [], changed: [] });
  });
});
