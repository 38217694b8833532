import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSupervisor, type Decision, type Fact, type Supervisor } from "../../src/index.js";
import { serviceCases } from "./cases/all.js";
import { mailOf } from "./cases/gmail.js";
import { canary, type Fleet, startFleet } from "./support/fleet.js";
import { dist } from "./support/stdio.js";

let fleet: Fleet;
let supervisor: Supervisor;
/** Tools a person was asked about, and everything the supervisor told. */
const asked: string[] = [];
const facts: Fact[] = [];

beforeAll(async () => {
  fleet = await startFleet();
  const server = (id: "gmail" | "connectors") => ({
    id,
    command: process.execPath,
    args: [join(dist, id, "main.js"), ...fleet.args[id]],
  });
  supervisor = createSupervisor({
    servers: [server("gmail"), server("connectors")],
    home: join(fleet.home, "supervisor"),
    mode: "allow-reads",
    handleSignals: false,
    approve: async ({ tool }): Promise<Decision> => {
      asked.push(tool);
      return "allow";
    },
  });
  supervisor.events$.subscribe((fact) => facts.push(fact));
  await supervisor.start();
  await supervisor.ready({ timeout: "60s" });
});

afterAll(async () => {
  await supervisor.stop();
  await fleet.close();
});

function publicName(id: string, tool: string): string {
  return `mcp_${id === "gmail" ? "gmail" : "connectors"}_${tool}`;
}

describe("the built-in servers under the supervisor", () => {
  it("offer all forty tools, reads allowed and writes asked about in the mode allow-reads", () => {
    const offered = supervisor.tools();
    const reads = serviceCases.flatMap(({ tools }) => tools.filter(({ kind }) => kind === "read"));

    expect(offered).toHaveLength(40);
    expect(
      offered
        .filter(({ permission }) => permission === "allow")
        .map(({ tool }) => tool)
        .toSorted(),
    ).toEqual(reads.map(({ tool }) => tool).toSorted());
    expect(offered.filter(({ permission }) => permission === "ask")).toHaveLength(40 - reads.length);
  });

  it.each(serviceCases.flatMap(({ id, tools }) => tools.map((each) => ({ id, ...each }))))(
    "$tool is called, and asked about only when it writes",
    async ({ id, tool, kind, args, routes, result }) => {
      fleet.fake(id).mood({ kind: "routes", routes });
      asked.length = 0;

      const outcome = await supervisor.callTool(publicName(id, tool), args);

      expect(outcome).toMatchObject({ ok: true, structured: result, warnings: [] });
      expect(asked).toEqual(kind === "write" ? [tool] : []);
    },
  );

  it("send an answer into its conversation, with the subject and the references of what it answers", async () => {
    const { tools } = serviceCases[0] ?? { tools: [] };
    const send = tools.find(({ tool }) => tool === "gmail_send");
    fleet.fake("gmail").mood({ kind: "routes", routes: send?.routes ?? {} });

    await supervisor.callTool("mcp_gmail_gmail_send", send?.args);

    const seen = fleet.fake("gmail").seen.at(-1);
    expect(seen?.json).toMatchObject({ threadId: "18f0" });
    expect(mailOf({ json: seen?.json })).toEqual({
      head: [
        "To: ann@example.com",
        "Subject: Re: Lunch?",
        "In-Reply-To: <m1@example.com>",
        "References: <m0@example.com> <m1@example.com>",
        "MIME-Version: 1.0",
        'Content-Type: text/plain; charset="UTF-8"',
        "Content-Transfer-Encoding: base64",
      ].join("\r\n"),
      body: "Yes!",
    });
  });

  it.each(serviceCases)(
    "tell through the supervisor that the token of $name has run out",
    async (service) => {
      const { id, expired, tools } = service;
      const first = tools.find(({ kind }) => kind === "read");
      const body = JSON.parse(JSON.stringify(expired.body).replace("TOKEN", canary(id))) as unknown;
      fleet.fake(id).mood({ kind: "always", answer: () => ({ ...expired, body }) });

      const outcome = await supervisor.callTool(publicName(id, first?.tool ?? ""), first?.args);

      expect(outcome).toMatchObject({ ok: false, failure: { kind: "tool-error" } });
      expect(outcome.text).toContain(`mcpvisor connect ${id}`);
      expect(JSON.stringify(outcome)).not.toContain(canary(id));
    },
  );

  it("leave no token in any fact or status", () => {
    const sinks = JSON.stringify([facts, supervisor.servers(), supervisor.tools()]);

    expect(facts.filter(({ type }) => type === "mcp.call.settled").length).toBeGreaterThanOrEqual(48);
    expect(serviceCases.filter(({ id }) => sinks.includes(canary(id)))).toEqual([]);
  });
});
