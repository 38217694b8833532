import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLogger, openLogFile } from "../../src/http/index.js";
import { tempFolder } from "./rig.js";

describe("the log file", () => {
  it("is for the user only and holds whole JSON lines", async () => {
    const path = join(await tempFolder(), "logs", "mcpvisor.log");
    const file = openLogFile(path);
    createLogger({ file }).info({ id: "files" }, "ready");
    file.close();

    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ level: 30, id: "files", msg: "ready" });
  });

  it("rotates, keeps as many files as it may, and cuts no line", async () => {
    const folder = await tempFolder();
    const path = join(folder, "x.log");
    const file = openLogFile(path, { bytes: 100, files: 3 });
    for (let at = 10; at < 60; at++) file.write(`line ${at} ${"x".repeat(20)}\n`);
    file.close();

    expect((await readdir(folder)).toSorted()).toEqual(["x.log", "x.log.1", "x.log.2"]);
    const texts = await Promise.all([".2", ".1", ""].map((end) => readFile(path + end, "utf8")));
    expect(texts.map((text) => text.length)).toEqual([87, 87, 58]);
    expect(texts.join("").match(/line \d+/g)).toEqual([
      "line 52",
      "line 53",
      "line 54",
      "line 55",
      "line 56",
      "line 57",
      "line 58",
      "line 59",
    ]);
  });

  it("goes on in an existing file, counting what is there", async () => {
    const path = join(await tempFolder(), "x.log");
    for (let at = 0; at < 3; at++) {
      const file = openLogFile(path, { bytes: 50, files: 2 });
      file.write(`line ${at} ${"x".repeat(30)}\n`);
      file.close();
    }

    expect(await readFile(path, "utf8")).toMatch(/^line 2 /);
    expect(await readFile(`${path}.1`, "utf8")).toMatch(/^line 1 /);
  });

  it("never throws, also when its folder is gone", async () => {
    const folder = join(await tempFolder(), "logs");
    const file = openLogFile(join(folder, "x.log"), { bytes: 10 });
    file.write("first line\n");
    await rm(folder, { recursive: true });

    expect(() => {
      for (let at = 0; at < 5; at++) file.write("another line\n");
    }).not.toThrow();
  });
});
