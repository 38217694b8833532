import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { createLogger, ensureToken, openLogFile, serve } from "../../src/http/index.js";
import type { ApprovalRequest, Fact, Supervisor } from "../../src/index.js";
import { eventually, nextFact, servers, supervise, temporaryFolder } from "../support.js";

const script = join(servers, "leaksSecrets.mjs");
const shapes = [
  (n: number) => `tok-SECRET-${n}-98765`,
  (n: number) => `p@ss/w0rd+${n}?&=x y`,
  (n: number) => `"quoted\\${n}"`,
  (n: number) => `ümläut-${n}-schlüssel`,
  (n: number) => `ghp_${"a1B2".repeat(8)}${n}`,
];
const canaries = Array.from({ length: 30 }, (_, at) => shapes[at % shapes.length]!(at));

/** All ways in which a value may stand in a text. */
function formsOf(value: string): string[] {
  return [
    value,
    encodeURIComponent(value),
    Buffer.from(value).toString("base64"),
    JSON.stringify(value).slice(1, -1),
  ];
}

function leaksIn(text: string): string[] {
  return canaries.filter((canary) => formsOf(canary).some((form) => text.includes(form)));
}

/** Ten values each in an env block, in headers and in variables that placeholders name. */
function writeConfig(home: string): void {
  const env = Object.fromEntries(
    canaries.slice(0, 10).map((value, at) => [`CANARY_${at}`, value.replaceAll("$", "$$")]),
  );
  const named = Object.fromEntries(
    canaries.slice(20).map((_, at) => [`CANARY_${20 + at}`, `\${env:OUTER_${at}}`]),
  );
  const headers = Object.fromEntries(canaries.slice(10, 20).map((value, at) => [`X-Canary-${at}`, value]));
  canaries.slice(20).forEach((value, at) => {
    process.env[`OUTER_${at}`] = value;
  });
  const leaky = { command: process.execPath, env: { ...env, ...named } };
  const mcpServers = {
    leaky: { ...leaky, args: [script] },
    dies: { ...leaky, args: [script, "--die"] },
    remote: { type: "http", url: "http://127.0.0.1:9/mcp?key=sesame-open-1", headers },
  };
  writeFileSync(join(home, "mcp.json"), JSON.stringify({ mcpServers }), { mode: 0o600 });
}

async function drive(supervisor: Supervisor): Promise<string[]> {
  const texts: string[] = [];
  texts.push(inspect(await supervisor.ready({ timeout: "40s" }), { depth: 20 }));
  const ok = await supervisor.callTool("mcp_leaky_ok", { note: canaries[0] });
  // The order of the variables is the system's.
  const given = canaries.slice(0, 10).concat(canaries.slice(20));
  expect(given.filter((each) => !ok.text.includes(each))).toEqual([]);
  expect(ok.text).toHaveLength(`hello ${given.join(" ")}`.length);
  for (const tool of ["fail", "rpc", "hang", "crash"]) {
    const result = await supervisor.callTool(`mcp_leaky_${tool}`, { note: canaries[3] }, { timeout: 300 });
    texts.push(JSON.stringify(result.ok ? "" : result.failure));
  }
  texts.push(JSON.stringify(await supervisor.callTool("mcp_remote_x", {}, { timeout: "2s" })));
  return texts;
}

describe("secrets", () => {
  it("of env, headers and placeholders show up in no event, status, log, error, question or API answer", async () => {
    const home = temporaryFolder();
    writeConfig(home);
    const logFile = join(home, "log.ndjson");
    const file = openLogFile(logFile);
    const asked: ApprovalRequest[] = [];
    const supervisor = supervise([], {
      discover: true,
      home,
      mode: "ask",
      logger: createLogger({ file, level: "debug" }),
      approve: (request) => {
        asked.push(request);
        return "allow";
      },
    });
    const facts: Fact[] = [];
    supervisor.events$.subscribe((fact) => facts.push(fact));
    await supervisor.start();
    const service = await serve(supervisor, { home, port: 0 });
    try {
      const connected =
        supervisor.server("leaky")!.status().state === "ready"
          ? undefined
          : nextFact(supervisor, "mcp.connected");
      await connected;
      const sinks: Record<string, string> = { errors: (await drive(supervisor)).join("\n") };
      sinks["status"] = inspect(supervisor.servers(), {
        depth: 20,
        maxArrayLength: 1000,
        maxStringLength: 100_000,
      });
      sinks["tools"] = JSON.stringify(supervisor.tools());
      sinks["problems"] = JSON.stringify(supervisor.problems());
      sinks["questions"] = JSON.stringify(asked);
      sinks["journal"] = JSON.stringify(supervisor.replay(0).facts);
      sinks["events"] = JSON.stringify(facts);
      const token = await ensureToken(home);
      for (const path of [
        "/api/mcp/servers",
        "/api/mcp/servers/leaky",
        "/api/mcp/servers/dies",
        "/api/mcp/tools",
        "/api/mcp/approvals",
        "/metrics",
        "/openapi.json",
      ]) {
        const answer = await fetch(new URL(path, service.url), {
          headers: { authorization: `Bearer ${token}` },
        });
        sinks[`GET ${path}`] = `${answer.status} ${await answer.text()}`;
        expect(answer.status).toBe(200);
      }
      await supervisor.stop();
      sinks["log"] = await eventually(
        async () => (await readFile(logFile, "utf8")) || undefined,
        "the log is written",
      );

      expect(asked.length).toBeGreaterThan(3);
      expect(
        Object.entries(sinks).flatMap(([sink, text]) => leaksIn(text).map((canary) => `${sink}: ${canary}`)),
      ).toEqual([]);
      expect(Object.values(sinks).join("\n")).not.toContain("sesame-open-1");
      expect(sinks["status"]).toContain("********");
    } finally {
      await service.close();
      file.close();
    }
  });
});
