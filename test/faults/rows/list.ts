import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished } from "vitest";
import type { FakeScript } from "../../../src/testing/index.js";
import { eventually } from "../../support.js";
import { expectReached, withFake } from "../fixture.js";
import type { Fixture } from "../fixture.js";
import type { Row } from "../matrix.js";

const listsOf = ({ fake }: Fixture): number =>
  fake.received.filter(({ method }) => method === "tools/list").length;

async function offered(tools: FakeScript["tools"]): Promise<Fixture> {
  return withFake({ tools: tools ?? [] });
}

export const listRows: readonly Row[] = [
  {
    row: 23,
    fault: "a list without end",
    outcome: "ends at the limit of pages, and says so",
    async run() {
      const fixture = await withFake({ faults: [{ fault: "endless-pages" }] });
      expectReached(fixture, "endless-pages");
      expect(fixture.status()).toMatchObject({ state: "ready", toolCount: 1 });
      expect(listsOf(fixture)).toBe(20);
      expect(fixture.status().warnings.join()).toContain("20");
    },
  },
  {
    row: 24,
    fault: "the same cursor again",
    outcome: "noticed at once",
    async run() {
      const fixture = await withFake({ faults: [{ fault: "same-cursor" }] });
      expectReached(fixture, "same-cursor");
      expect(fixture.status().state).toBe("ready");
      expect(listsOf(fixture)).toBe(2);
    },
  },
  {
    row: 25,
    fault: "two tools of one name",
    outcome: "one of them, and a warning",
    async run() {
      const fixture = await offered(["echo", { name: "echo", description: "again" }]);
      expect(fixture.supervisor.tools().map(({ tool }) => tool)).toEqual(["echo"]);
      expect(fixture.status().warnings).not.toEqual([]);
    },
  },
  {
    row: 26,
    fault: "empty, endless and unprintable names",
    outcome: "no host falls over, names stay valid",
    async run() {
      const fixture = await offered(["echo", "", "n".repeat(1000), "a\u0000\u001b[31mb"]);
      expect(await fixture.call({ text: "fine" })).toMatchObject({ ok: true, text: "fine" });
      for (const { name } of fixture.supervisor.tools()) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    },
  },
  {
    row: 27,
    fault: "a schema nested 10,000 deep",
    outcome: "withheld, the process lives",
    elsewhere: [
      { file: "test/tools/hygiene.test.ts", test: "withholds a schema nested deeper than 64" },
      { file: "test/transport/stdio.test.ts", test: "nested too deep costs only that message" },
    ],
  },
  {
    row: 28,
    fault: "a schema of 1 MiB",
    outcome: "withheld beside tools that are good",
    async run() {
      const inputSchema = { type: "object", description: "d".repeat(1024 * 1024) };
      const fixture = await offered(["echo", { name: "big", inputSchema }]);
      expect(fixture.supervisor.tools().map(({ tool }) => tool)).toEqual(["echo"]);
      expect(fixture.status().warnings.join()).toContain("big");
    },
  },
  {
    row: 29,
    fault: "schemas that refer to themselves and to addresses",
    outcome: "nothing is fetched, the call settles",
    async run() {
      let fetched = 0;
      const server = createServer((_, response) => {
        fetched++;
        response.end("{}");
      });
      await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
      onTestFinished(() => void server.close());
      const { port } = server.address() as AddressInfo;
      const fixture = await offered([
        {
          name: "echo",
          outputSchema: { type: "object", properties: { a: { $ref: `http://127.0.0.1:${port}/schema` } } },
          answer: () => ({ content: [], structuredContent: { a: 1 } }),
        },
        {
          name: "loop",
          outputSchema: { type: "object", $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } },
          answer: () => ({ content: [], structuredContent: {} }),
        },
      ]);
      expect((await fixture.call()).call.sent).toBe("yes");
      expect((await fixture.supervisor.callTool("mcp_x_loop", {})).call.sent).toBe("yes");
      expect(fetched).toBe(0);
    },
    elsewhere: [
      { file: "test/tools/schemaCheck.test.ts", test: "ends a schema that refers to nothing but itself" },
    ],
  },
  {
    row: 30,
    fault: "1,000 list_changed at once",
    outcome: "a few walks",
    async run() {
      const fixture = await withFake({ faults: [{ fault: "list-changed-storm", count: 1000, times: 1 }] });
      await fixture.call();
      expectReached(fixture, "list-changed-storm");
      await eventually(() => listsOf(fixture) > 1, "a second walk");
      await fixture.call();
      expect(listsOf(fixture)).toBeLessThanOrEqual(4);
    },
    elsewhere: [{ file: "test/policy/relist.test.ts", test: "walks at most 12 times in any 10 s" }],
  },
  {
    row: 31,
    fault: "the list fails after ready",
    outcome: "the old list stays, and a warning says so",
    async run() {
      const fixture = await withFake({});
      fixture.fake.inject({ fault: "error", on: "tools/list" });
      fixture.fake.send({ method: "notifications/tools/list_changed" });
      await eventually(() => fixture.status().warnings.length > 0, "a warning");
      expectReached(fixture, "error");
      expect(fixture.supervisor.tools().map(({ tool }) => tool)).toEqual(["echo"]);
      expect(await fixture.call({ text: "a" })).toMatchObject({ ok: true });
    },
  },
  {
    row: 32,
    fault: "a definition changes after it was pinned",
    outcome: "held back until a person approves it",
    elsewhere: [
      {
        file: "test/supervisor/permissions.test.ts",
        test: "hold back a tool whose definition changed since its first use, also after a restart of the host",
      },
    ],
  },
];
