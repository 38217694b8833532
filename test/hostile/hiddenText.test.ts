import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, constantFrom, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonText, visible, visibleLines } from "../../src/cli/screen/visible.js";
import { escapeHidden, escapeJson } from "../../src/hiddenText.js";
import { createLogger, openLogFile } from "../../src/http/index.js";
import { visible as onThePage } from "../../src/http/web/model/format.js";
import { tempFolder } from "../http/rig.js";

/** One of each kind of what is hidden or steers, and what looked alike on one door and not on another. */
const hidden = [
  "\u202E",
  "\u200B",
  "\u{E0041}",
  "\u009B",
  "\u001B",
  "\u3164",
  "\u115F",
  "\u2066",
  "\uFEFF",
  "\u00AD",
  "\u061C",
  "\u180E",
];

/** Every place at which a text of a server leaves for a person, with what stands there. */
const sinks: Readonly<Record<string, (text: string) => string | Promise<string>>> = {
  "a line on the terminal": visible,
  "lines on the terminal": visibleLines,
  "--json": (text) => jsonText({ text }),
  "the dashboard": onThePage,
  "a description for an agent": escapeHidden,
  "a JSON text as it stands": (text) => escapeJson(JSON.stringify({ text })),
  async "--log"(text) {
    const path = join(await tempFolder(), "x.log");
    const file = openLogFile(path);
    createLogger({ file }).info({ [`${text}key`]: text }, text);
    file.close();
    return readFileSync(path, "utf8");
  },
};

describe("hidden text", () => {
  it.each(Object.entries(sinks))("shows as escapes: %s", async (_name, show) => {
    for (const each of hidden) {
      const shown = await show(`before${each}after`);
      expect({ each: each.codePointAt(0)!.toString(16), leaks: shown.includes(each) }).toEqual({
        each: each.codePointAt(0)!.toString(16),
        leaks: false,
      });
      expect(shown).toContain("before");
      expect(shown).toContain("after");
    }
  });

  it("shows as escapes in any mixture, on every door that takes a text at once", () => {
    const piece = constantFrom(...hidden, "a", " ", "\u{1F600}", "é");
    const doors = [visible, visibleLines, onThePage, escapeHidden];
    assert(
      property(tuple(piece, piece, piece, piece), (pieces) => {
        const text = pieces.join("");
        return doors.every((show) => hidden.every((each) => !show(text).includes(each)));
      }),
    );
  });
});
