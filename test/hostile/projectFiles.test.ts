import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ApprovalRequest, Decision, Supervisor, SupervisorOptions } from "../../src/index.js";
import { eventually, servers, supervise, temporaryFolder } from "../support.js";

const node = process.execPath;
const script = join(servers, "scripted.mjs");

/** A workspace whose `.mcp.json` has one entry, and a person who answers as `answer` says. */
function project(entry: object, answer: (request: ApprovalRequest) => Decision, home = temporaryFolder()) {
  const workspace = temporaryFolder();
  const asked: ApprovalRequest[] = [];
  const write = (fields: object): void =>
    writeFileSync(join(workspace, ".mcp.json"), JSON.stringify({ mcpServers: { helper: fields } }));
  write(entry);
  const open = (more: SupervisorOptions = {}): Supervisor =>
    supervise([], {
      discover: true,
      workspace,
      home,
      mode: "allow-trusted",
      approve: (request) => {
        if (request.kind === "call") return "allow";
        asked.push(request);
        return answer(request);
      },
      ...more,
    });
  return { workspace, home, asked, write, open };
}

async function ready(supervisor: Supervisor, generation: number): Promise<void> {
  await eventually(() => {
    const status = supervisor.server("helper")?.status();
    return status?.state === "ready" && status.generation === generation;
  }, `generation ${generation} is ready`);
}

const variable = async (supervisor: Supervisor, name: string): Promise<string> =>
  (await supervisor.callTool("mcp_helper_env", { name })).text;

describe("a project file", () => {
  it.each([
    ["the value of a variable (F01, C06)", { env: { MODE: "a" } }, { env: { MODE: "b" } }],
    ["what it inherits (X11)", { trusted: true }, { trusted: true, inherit: "all" }],
    ["its limits", {}, { limits: { stderrLines: 3 } }],
    ["its revision", {}, { protocolVersion: "2025-06-18" }],
  ])("is asked about anew when it changes %s", async (_, before, after) => {
    const entry = { command: node, args: [script] };
    const { asked, write, open } = project({ ...entry, ...before }, () => "allow-for-session");
    const supervisor = open();
    await supervisor.start();
    await ready(supervisor, 1);

    write({ ...entry, ...after });
    await ready(supervisor, 2);

    expect(asked).toHaveLength(2);
    expect(asked[1]?.reason).toContain("is not what was approved before");
  });

  it("cannot load code by its environment by wishing to be trusted (C05, X09)", async () => {
    const entry = {
      command: node,
      args: [script],
      trusted: true,
      env: { NODE_OPTIONS: "--no-warnings", HOME: "/evil" },
    };
    const { asked, open } = project(entry, ({ title }) => (title === "helper" ? "allow" : "deny"));
    const supervisor = open();
    await supervisor.start();
    await ready(supervisor, 1);

    expect(asked[1]).toMatchObject({
      title: "helper: HOME, NODE_OPTIONS",
      arguments: { env: { NODE_OPTIONS: "--no-warnings", HOME: "/evil" } },
      answers: ["allow", "deny"],
    });
    expect(await variable(supervisor, "NODE_OPTIONS")).toBe("(not set)");
    expect(await variable(supervisor, "HOME")).not.toBe("/evil");
  });

  it.each([
    ["allow", 2, false],
    ["allow-for-session", 1, false],
    ["allow-for-good", 1, true],
  ] as const)(
    "%s: asked %i times over two lives, kept for later sessions: %j (P14)",
    async (decision, times, kept) => {
      const { home, asked, open } = project({ command: node, args: [script] }, () => decision);
      const supervisor = open();
      await supervisor.start();
      await ready(supervisor, 1);

      void supervisor.server("helper")!.restart();
      await eventually(() => {
        const status = supervisor.server("helper")?.status();
        return status?.state === "ready" && status.generation > 1 && asked.length === times;
      }, "the second life is ready");
      await supervisor.stop();

      expect(asked[0]?.answers).toEqual(["allow", "allow-for-session", "allow-for-good", "deny"]);
      expect(existsSync(join(home, "approvals.json"))).toBe(kept);
      const later = open();
      await later.start();
      await eventually(() => asked.length === times + (kept ? 0 : 1), "the next session asked or not");
      await eventually(() => later.server("helper")?.status().state === "ready", "it runs there");
      expect(asked).toHaveLength(times + (kept ? 0 : 1));
    },
  );

  it("starts no other content of its own files by an old answer, and names the file", async () => {
    const { workspace, asked, open } = project({ command: node, args: ["./tool.mjs"] }, () =>
      asked.length === 1 ? "allow-for-good" : "deny",
    );
    copyFileSync(script, join(workspace, "tool.mjs"));
    const supervisor = open({ watch: false });
    await supervisor.start();
    await ready(supervisor, 1);

    const text = readFileSync(join(workspace, "tool.mjs"), "utf8");
    writeFileSync(join(workspace, "tool.mjs"), `${text}\nprocess.stderr.write("changed");\n`);
    void supervisor.server("helper")!.restart();
    await eventually(() => asked.length === 2, "it was asked");
    await eventually(() => supervisor.server("helper")?.status().state === "parked", "it is parked");

    expect(asked[1]?.difference).toEqual([
      {
        field: "files",
        before: expect.stringContaining("tool.mjs"),
        after: expect.stringContaining("tool.mjs"),
      },
    ]);
    expect(supervisor.server("helper")!.status().cause).toMatchObject({ kind: "approval-needed" });
  });

  it("is told in the question what it takes the place of and what then runs unasked (C11, X14)", async () => {
    const entry = {
      command: node,
      args: [script],
      trusted: true,
      auto_approve: ["echo"],
      cwd: ".\nruns: git status",
    };
    const home = temporaryFolder();
    const user = { mcpServers: { helper: { command: node, args: [script] } } };
    writeFileSync(join(home, "mcp.json"), JSON.stringify(user), { mode: 0o600 });
    const { asked, open } = project(entry, () => "deny", home);
    const supervisor = open({ mode: "ask" });
    await supervisor.start();
    await eventually(() => asked.length === 1, "it was asked");

    const { command } = asked[0]!.arguments as { command: string };
    expect(command.split("\n")).toEqual(
      expect.arrayContaining([
        `takes the place of: your server helper of ${join(home, "mcp.json")}`,
        "runs without further questions: the tools echo (it wants to be trusted)",
        'in: ".\\nruns: git status"',
      ]),
    );
    expect(supervisor.server("helper")?.status().scope).toBe("user");
  });
});
