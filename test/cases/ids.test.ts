import { describe, expect, it } from "vitest";
import type { Supervisor, ToolResult } from "../../src/index.js";
import { running, scripted, supervise } from "../support.js";

const withShape = (shape: string): Promise<Supervisor> =>
  running([scripted("i", "answerIds.mjs", [`--shape=${shape}`])]);

function failureOf(result: ToolResult): unknown {
  return result.ok ? "none" : { kind: result.failure.kind, code: result.failure.code };
}

const notParsed = { kind: "protocol-error", code: -32_700 };

describe("ids of answers", () => {
  it.each([["text"], ["float"], ["batch"], ["batch-call"]])(
    "C037, C041 matches ids and answers in the shape %s, also of calls at the same time",
    async (shape) => {
      const supervisor = await withShape(shape);

      const results = await Promise.all(
        Array.from({ length: 20 }, (_, n) => supervisor.callTool("mcp_i_echo", { n }, { timeout: "30s" })),
      );

      expect(results.map((result) => result.text)).toEqual(
        Array.from({ length: 20 }, (_, n) => `{"n":${n}}`),
      );
      const { warnings } = supervisor.server("i")!.status();
      expect(warnings).toEqual(shape === "text" ? ["the server returns request ids as text"] : []);
    },
  );

  it.each([
    ["pad", '"01"'],
    ["zero", "0"],
    ["huge", "90071992547409920"],
  ])(
    "C038 says that answers with unknown ids came, when no handshake is possible (%s)",
    async (shape, id) => {
      const supervisor = supervise([
        scripted("i", "answerIds.mjs", [`--shape=${shape}`], { connectTimeout: 4, restart: "never" }),
      ]);
      await supervisor.ready({ timeout: "30s" });

      const status = supervisor.server("i")!.status();

      expect(status.state).toBe("parked");
      expect(status.lastError?.kind).toBe("connect-timeout");
      const told = `answers with an unknown id arrived (last: ${id.slice(0, 8)}`;
      expect(status.lastError?.message).toContain(told);
      expect(status.warnings.join()).toContain(told);
    },
  );

  it("C038 gives no call the answer of another one", async () => {
    const supervisor = supervise([
      scripted("i", "answerIds.mjs", ["--shape=one"], { connectTimeout: 4, restart: "never" }),
    ]);
    await supervisor.ready({ timeout: "30s" });
    // initialize has id 1 and passes; the list that follows never gets its answer.
    expect(supervisor.server("i")!.status()).toMatchObject({ state: "parked", toolCount: 0 });
    expect(supervisor.server("i")!.status().lastError?.message).toContain(
      "answers with an unknown id arrived (last: 1)",
    );
  });

  it.each([["null"], ["none"]])(
    "C040 fails the one open call by an error without an id (%s)",
    async (shape) => {
      const supervisor = await withShape(shape);
      expect(failureOf(await supervisor.callTool("mcp_i_bad", {}, { timeout: "20s" }))).toEqual(notParsed);
      expect(await supervisor.callTool("mcp_i_echo", { a: 1 })).toMatchObject({ ok: true, text: '{"a":1}' });
      expect(supervisor.server("i")!.status().warnings.join()).toContain("could not parse the request");
    },
  );

  it.each([["null"], ["none"]])("C040 guesses nothing while several calls are open (%s)", async (shape) => {
    const supervisor = await withShape(shape);

    const results = await Promise.all(
      ["silent", "bad"].map((name) => supervisor.callTool(`mcp_i_${name}`, {}, { timeout: "1s" })),
    );

    expect(results.map((result) => !result.ok && result.failure.kind)).toEqual(["timeout", "timeout"]);
    expect(results[1]!.text).toContain("could not parse the request");
    expect(await supervisor.callTool("mcp_i_echo", { a: 1 })).toMatchObject({ ok: true, text: '{"a":1}' });
  });

  it("C101 numbers its requests from 1", async () => {
    const supervisor = await running([scripted("z", "dropsIdZero.mjs")]);
    expect(await supervisor.callTool("mcp_z_echo", { a: 1 })).toMatchObject({ ok: true, text: '{"a":1}' });
  });

  it("takes the first of two answers and drops the other", async () => {
    const supervisor = await running([scripted("e", "endings.mjs")]);
    expect(await supervisor.callTool("mcp_e_twice")).toMatchObject({ ok: true, text: "first" });
    expect(await supervisor.callTool("mcp_e_echo", { a: 1 })).toMatchObject({ ok: true, text: '{"a":1}' });
    expect(supervisor.server("e")!.status().warnings).toHaveLength(1);
  });
});
