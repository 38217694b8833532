import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { windowsCommandLine, windowsLookup } from "../../src/process/commandLine.js";
import { readArguments, readByCmd } from "./cmdModel.js";

const files: Record<string, string> = {
  npx: "C:\\Program Files\\nodejs\\npx.cmd",
  uvx: "C:\\Tools\\uvx.exe",
  node: "C:\\Program Files\\nodejs\\node.exe",
  odd: "C:\\Tools (x86)\\my tool.bat",
};
const lookup = Object.assign((command: string) => files[command], { searchPath: "C:\\Tools" });

/** What a program behind a .cmd file would get as its arguments. */
function arriving(command: string, args: readonly string[]): { file: string; args: string[] } {
  const line = windowsCommandLine("a", command, args, lookup);
  if ("kind" in line) throw new Error(line.message);
  expect(line).toMatchObject({ command: "cmd.exe", verbatim: true });
  expect(line.args.slice(0, 3)).toEqual(["/d", "/s", "/c"]);
  const whole = line.args[3]!;
  // /s /c drops the first and the last quote of the rest.
  expect(whole.at(0)).toBe('"');
  expect(whole.at(-1)).toBe('"');
  const { file, rest } = readByCmd(whole.slice(1, -1));
  // The file passes %* on to its program, and that line is read once more.
  return { file, args: readArguments(readByCmd(`x ${rest}`).rest) };
}

// biome-ignore format: a table
const thirty = [
  "a b", "", "100%PATH%", "a&calc", "x|y", "<in>", 'say "hi"', "trailing\\", "^caret^", "(group)",
  "!bang!", "C:\\dir with space\\", "ünï", "--x=a b", '"', '\\"', '\\\\"', "\\\\", "a\\b", "%", "%%", "^%PATH^%",
  "a;b,c", "`tick`", "*?[x]", "'single'", '{"json": "va\\"lue", "n": [1, 2]}', "&&", "||exit", '" & calc & "',
];

describe("a Windows command line", () => {
  it.each(thirty)("brings %j through cmd.exe unchanged", (arg) => {
    expect(arriving("npx", ["-y", arg, "end"])).toEqual({
      file: "C:\\Program Files\\nodejs\\npx.cmd",
      args: ["-y", arg, "end"],
    });
  });

  it("brings any arguments through cmd.exe unchanged", () => {
    const arg = fc.string({
      unit: fc.constantFrom(..."ab \"\\%^&|<>()!;,=*?[]`'ü".split("")),
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.array(arg, { maxLength: 5 }), (args) => {
        expect(arriving("odd", args)).toEqual({ file: "C:\\Tools (x86)\\my tool.bat", args });
      }),
    );
  });

  it("goes to .exe files directly, and tells of a command that is nowhere before anything starts", () => {
    expect(windowsCommandLine("a", "uvx", ["a b", "x\ny"], lookup)).toEqual({
      command: "C:\\Tools\\uvx.exe",
      args: ["a b", "x\ny"],
      verbatim: false,
    });
    expect(windowsCommandLine("a", "unknown", [], lookup)).toEqual({
      kind: "command-not-found",
      message:
        'server "a": command "unknown" was not found on PATH (C:\\Tools); install it, or give its full path',
    });
  });

  it.each(["line\nbreak", "carriage\rreturn", "nul\0byte"])("refuses %j before anything starts", (arg) => {
    expect(windowsCommandLine("a", "npx", [arg], lookup)).toMatchObject({ kind: "spawn-invalid" });
  });

  it("refuses what is too long for cmd.exe", () => {
    expect(windowsCommandLine("a", "npx", ["x".repeat(9000)], lookup)).toMatchObject({
      kind: "spawn-invalid",
      message: expect.stringContaining("too long for cmd.exe"),
    });
  });

  it("finds commands on PATH with PATHEXT, whatever the case of the variables", () => {
    const there = new Set(["C:\\a\\npx.cmd", "C:\\b\\npx.exe", "C:\\b\\tool.bat", "D:\\x\\run.exe"]);
    const find = windowsLookup({ Path: "C:\\a;C:\\b;", PathExt: ".EXE;.CMD;.BAT" }, (path) =>
      there.has(path),
    );

    expect(find("npx")).toBe("C:\\a\\npx.cmd");
    expect(find.searchPath).toBe("C:\\a;C:\\b;");
    expect(find("npx.exe")).toBe("C:\\b\\npx.exe");
    expect(find("tool")).toBe("C:\\b\\tool.bat");
    expect(find("D:\\x\\run")).toBe("D:\\x\\run.exe");
    expect(find("nothing")).toBeUndefined();
  });
});
