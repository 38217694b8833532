import { describe, expect, it } from "vitest";
import { table } from "../../src/cli/screen/table.js";
import { columnsOf } from "../../src/cli/screen/visible.js";

const columns = [{ title: "NAME" }, { title: "N", align: "right" as const }, { title: "WHY", shrinkTo: 6 }];
const rows = [
  [{ text: "files" }, { text: "7" }, { text: "a long story about it" }],
  [{ text: "db" }, { text: "1234" }, { text: "" }],
];

describe("a table", () => {
  it("gives each column the width of its widest cell when there is room", () => {
    expect(table(columns, rows, 80)).toEqual([
      "NAME      N  WHY",
      "files     7  a long story about it",
      "db     1234",
    ]);
  });

  it("shortens prose first", () => {
    expect(table(columns, rows, 24)).toEqual(["NAME      N  WHY", "files     7  a long sto…", "db     1234"]);
  });

  it("becomes blocks in a narrow window, so that nothing is hidden", () => {
    expect(table(columns, rows, 16)).toEqual(["files, N 7", "  WHY a long st…", "db, N 1234"]);
  });

  it("never makes a line longer than the window", () => {
    for (let width = 12; width < 60; width += 1) {
      expect(Math.max(...table(columns, rows, width).map(columnsOf))).toBeLessThanOrEqual(width);
    }
  });

  it("colours a cell after its width is known", () => {
    const painted = [[{ text: "ok", paint: (text: string) => `<${text}>` }, { text: "1" }, { text: "x" }]];

    expect(table(columns, painted, 80)[1]).toBe("<ok>    1  x");
  });
});
