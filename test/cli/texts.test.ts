import { describe, expect, it } from "vitest";
import { factLine } from "../../src/cli/screen/factLine.js";
import { durationMs } from "../../src/cli/context/options.js";
import { problemLine } from "../../src/cli/screen/problems.js";
import { openTerminal } from "../../src/cli/context/terminal.js";
import type { Fact } from "../../src/index.js";
import { FakeOutput } from "./support/fakeOutput.js";

describe("a configuration problem", () => {
  it("starts with file, line and column, and ends with what to do", () => {
    const line = problemLine({
      severity: "error",
      message: "is not an option of mcpvisor",
      server: "files",
      path: "mcpServers.files.comand",
      file: "mcp.json",
      line: 4,
      column: 7,
      hint: 'did you mean "command"?',
    });

    expect(line).toBe(
      'mcp.json:4:7: error: mcpServers.files.comand is not an option of mcpvisor; did you mean "command"?',
    );
  });

  it("stays on one line whatever the file holds", () => {
    expect(problemLine({ severity: "warning", message: "odd\nname \u001b[2J" })).toBe(
      "warning: odd\\nname \\x1b[2J",
    );
  });
});

describe("a fact as a line", () => {
  const at = new Date(2026, 0, 2, 13, 14, 15).getTime();

  it.each<[Fact, string]>([
    [
      {
        seq: 1,
        at,
        type: "mcp.state",
        id: "files",
        generation: 2,
        from: "connecting",
        to: "initializing",
        cause: { kind: "opened", message: "process 7 runs" },
      },
      "13:14:15 files: connecting -> initializing (generation 2): process 7 runs",
    ],
    [
      { seq: 2, at, type: "mcp.tools", id: "files", added: ["a", "b"], removed: [], changed: ["c"] },
      "13:14:15 files: tools: added a, b; changed c",
    ],
    [
      { seq: 3, at, type: "mcp.log", id: "files", level: "warning", message: "\u001b[2Jnoise" },
      "13:14:15 files: warning: \\x1b[2Jnoise",
    ],
  ])("tells the server and what happened: %#", (fact, line) => {
    expect(factLine(fact)).toBe(line);
  });
});

describe("durations on the command line", () => {
  it.each([
    ["500", 500],
    ["500ms", 500],
    ["5s", 5000],
    ["1.5s", 1500],
    ["1h30m", 5_400_000],
  ])("reads %s", (text, ms) => {
    expect(durationMs("--for", text)).toBe(ms);
  });

  it.each(["", "soon", "5 s", "-1s", "5s later"])("refuses %j and says what to write", (text) => {
    expect(() => durationMs("--for", text)).toThrow(/--for .* is not a duration; write for example 500ms/);
  });
});

describe("colours", () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: "1" }, false],
    [true, { NO_COLOR: "" }, true],
    [false, { FORCE_COLOR: "1" }, true],
    [true, { FORCE_COLOR: "0" }, false],
    [true, { TERM: "dumb" }, false],
    [false, { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
  ])("tty %s with %j: %s", (tty, env, coloured) => {
    expect(openTerminal(streams(tty), env).colors.isColorSupported).toBe(coloured);
  });

  it("moves no cursor on a dumb terminal or a pipe", () => {
    expect(openTerminal(streams(true), {}).live).toBe(true);
    expect(openTerminal(streams(true), { TERM: "dumb" }).live).toBe(false);
    expect(openTerminal(streams(false), { FORCE_COLOR: "1" }).live).toBe(false);
  });
});

function streams(tty: boolean) {
  const output = new FakeOutput(tty ? { columns: 80, rows: 24 } : undefined);
  return { stdin: process.stdin, stdout: output, stderr: output };
}
