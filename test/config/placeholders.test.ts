import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fillPlaceholders } from "../../src/config/fields/placeholders.js";

const values = {
  node: "/usr/bin/node",
  python: "python3",
  repo: "/repo",
  workspace: "/project",
  home: "/state",
  env: { TOKEN: "tok-123456", EMPTY: "", HOME: "/home/me", TRICKY: "${TOKEN} $TOKEN $$", home: "/other" },
};

describe("fillPlaceholders", () => {
  it.each([
    ["${node} ${python}", "/usr/bin/node python3"],
    ["${repo}/a:${workspace}/b:${home}/c", "/repo/a:/project/b:/state/c"],
    ["${env:TOKEN} $TOKEN ${TOKEN}", "tok-123456 tok-123456 tok-123456"],
    ["$TOKEN-x $TOKEN.y", "tok-123456-x tok-123456.y"],
    ["${NOPE:-fallback}", "fallback"],
    ["${NOPE:-}", ""],
    ["${env:NOPE:-a:-b}", "a:-b"],
    ["${EMPTY:-fallback}", "fallback"],
    ["[${EMPTY}]", "[]"],
    ["${TOKEN:-fallback}", "tok-123456"],
    ["${env:home}", "/other"],
    ["$home", "/other"],
    ["$$TOKEN $${TOKEN} $$$$", "$TOKEN ${TOKEN} $$"],
    ["$$$TOKEN", "$tok-123456"],
    ["^a$ $1 100$ $.x $(pwd)", "^a$ $1 100$ $.x $(pwd)"],
    ["", ""],
  ])("fills %j as %j", (text, expected) => {
    expect(fillPlaceholders(text, values)).toMatchObject({ ok: true, text: expected });
  });

  it("never looks again at what it filled in", () => {
    expect(fillPlaceholders("$TRICKY", values)).toMatchObject({ text: "${TOKEN} $TOKEN $$" });
  });

  it.each([
    ["${NOPE:-$TOKEN}", "tok-123456", ["tok-123456"]],
    ["${NOPE:-${TOKEN}}/x", "tok-123456/x", ["tok-123456"]],
    ["${TOKEN:-${NOPE}/.tools}:/data:ro", "tok-123456:/data:ro", ["tok-123456"]],
    ["${NOPE:-${NEITHER:-none}}", "none", []],
    ["${NOPE:-a$$b}", "a$b", []],
    ["${NOPE:-{a}", "{a", []],
  ])("fills in the placeholders of a default: %s", (text, filled, secrets) => {
    expect(fillPlaceholders(text, values)).toMatchObject({ ok: true, text: filled, secrets });
  });

  it("names the variable that a default lacks, and refuses a brace that stays open", () => {
    expect(fillPlaceholders("${NOPE:-${NEITHER}}", values)).toMatchObject({ ok: false, variable: "NEITHER" });
    expect(fillPlaceholders("${NOPE:-${TOKEN}", values)).toMatchObject({ ok: false });
  });

  it.each([
    ["${NOPE}", "NOPE", "the variable NOPE is not set", "set it, or write ${NOPE:-default}"],
    ["a $NOPE", "NOPE", "the variable NOPE is not set", "set it, or write $$ for a plain $"],
    ["${env:home2}", "home2", "the variable home2 is not set", "set it, or write ${home2:-default}"],
    [
      "${workspaceFolder}/x",
      "workspaceFolder",
      "the variable workspaceFolder is not set",
      "did you mean ${workspace}?",
    ],
    ["${hoem}", "hoem", "the variable hoem is not set", "did you mean ${home}?"],
    ["${a b}", "a b", '"${a b}" is not a placeholder', "write $$ for a plain $"],
    ["${", "", '"${" is not a placeholder', "write $$ for a plain $"],
    ["${toString}", "toString", "the variable toString is not set", "set it, or write ${toString:-default}"],
  ])("refuses %j and names the variable", (text, variable, message, hint) => {
    expect(fillPlaceholders(text, values)).toEqual({ ok: false, variable, message, hint });
  });

  it("says so when a place is not known, unless there is a default", () => {
    const { workspace: _workspace, ...rest } = values;

    expect(fillPlaceholders("${workspace}", rest)).toMatchObject({
      ok: false,
      message: "${workspace} is not known here",
    });
    expect(fillPlaceholders("${workspace:-.}", rest)).toMatchObject({ ok: true, text: "." });
  });

  it("reports what it read, and as secret what is not a place everybody knows", () => {
    expect(fillPlaceholders("$TOKEN ${HOME} ${NOPE:-plain} ${home}", values)).toEqual({
      ok: true,
      text: "tok-123456 /home/me plain /state",
      secrets: ["tok-123456"],
      variables: ["TOKEN", "HOME", "NOPE"],
    });
  });

  it("expands once, for every value and every text around it", () => {
    const anything = fc.string().map((each) => each.replaceAll("{", "").replaceAll("}", ""));
    const hostile = fc.oneof(
      fc.string(),
      fc.constantFrom("$A", "${A}", "${B:-x}", "$$", "${env:B}", "${node}"),
    );
    fc.assert(
      fc.property(fc.record({ A: hostile, B: hostile }), anything, (env, around) => {
        const plain = around.replaceAll("$", "$$$$");
        const filled = fillPlaceholders(`${plain}\${A}${plain}\${env:B}`, { ...values, env });
        expect(filled).toMatchObject({ ok: true, text: `${around}${env.A}${around}${env.B}` });
      }),
    );
  });

  it("leaves every text without a dollar sign as it is", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }).filter((each) => !each.includes("$")),
        (text) => {
          expect(fillPlaceholders(text, values)).toMatchObject({ ok: true, text, secrets: [] });
        },
      ),
    );
  });
});
