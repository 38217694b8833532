import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, running, scripted, temporaryFolder } from "../support.js";

describe("lists of tools in pages", () => {
  it.each([
    ["same", ["null", '"next"'], /pagination loop/],
    ["cycle", ["null", '"A"', '"B"'], /pagination loop/],
    ["empty", ["null", '""'], /pagination loop/],
    ["unique", 20, /too many pages/],
    ["number", ["null"], /^$/],
    ["stale", ["null", '"next"', "null", '"next"'], /no such page/],
    ["error", ["null", '"next"'], /no such page/],
  ])("C052 ends a walk whose cursors are: %s (row 13)", async (mode, walked, warning) => {
    const events = join(temporaryFolder(), "events");
    const supervisor = await running([
      scripted("p", "endlessPages.mjs", [`--mode=${mode}`], { env: { EVENTS: events } }),
    ]);

    expect(supervisor.tools().map((tool) => tool.tool)).toEqual(["count", "echo"]);
    const cursors = readFileSync(events, "utf8").trim().split("\n");
    expect(typeof walked === "number" ? cursors.length : cursors).toEqual(walked);
    expect(await supervisor.callTool("mcp_p_count")).toMatchObject({
      ok: true,
      text: String(cursors.length),
    });
    const { state, warnings } = supervisor.server("p")!.status();
    expect(state).toBe("ready");
    expect(warnings.filter((each) => /pag/.test(each)).join()).toMatch(warning);
  });

  it.each(["null", "text"])(
    "C052 takes an answer without a list (%s) for an empty one, with a warning",
    async (mode) => {
      const supervisor = await running([scripted("p", "endlessPages.mjs", [`--mode=${mode}`])]);
      expect(supervisor.server("p")!.status()).toMatchObject({
        state: "ready",
        toolCount: 0,
        warnings: ["tools/list page 1 holds no list named tools"],
      });
    },
  );
});

describe("lists of tools that change", () => {
  it("C054 makes a few walks of hundreds of changes, and misses the last one not (row 33)", async () => {
    const supervisor = await running([scripted("c", "changingList.mjs")]);
    let told = 0;
    const subscription = supervisor.events$.subscribe((fact) => {
      if (fact.type === "mcp.tools") told++;
    });

    await supervisor.callTool("mcp_c_storm");
    await eventually(() => supervisor.tools().some((tool) => tool.tool === "fresh"), "the new tool");
    await new Promise((done) => setTimeout(done, 1500));

    expect(Number((await supervisor.callTool("mcp_c_count")).text)).toBeLessThanOrEqual(5);
    expect(told).toBeLessThanOrEqual(2);
    subscription.unsubscribe();
  });

  it("C054 does not lose a change that is told before the first list is answered", async () => {
    const supervisor = await running([scripted("c", "changingList.mjs", ["--early"])]);
    await eventually(() => supervisor.tools().some((tool) => tool.tool === "fresh"), "the new tool");
    expect(supervisor.server("c")!.status()).toMatchObject({ generation: 1 });
  });

  it.each(["error", "page", "null"])(
    "C054 keeps the list it has when a later walk fails (%s)",
    async (how) => {
      const supervisor = await running([scripted("c", "changingList.mjs", [`--break=${how}`])]);

      await supervisor.callTool("mcp_c_grow");
      await eventually(
        () =>
          supervisor
            .server("c")!
            .status()
            .warnings.some((each) => /could not be listed again/.test(each)),
        "the failed walk",
      );

      expect(supervisor.tools()).toHaveLength(3);
      expect(await supervisor.callTool("mcp_c_count")).toMatchObject({ ok: true });
      expect(supervisor.server("c")!.status()).toMatchObject({ generation: 1 });
    },
  );

  it.each(["5", "1200"])(
    "C055 slows down when each walk causes a change (after %s ms)",
    { timeout: 60_000 },
    async (gap) => {
      const supervisor = await running([scripted("c", "changingList.mjs", ["--feedback", `--gap=${gap}`])]);
      const count = async (): Promise<number> => Number((await supervisor.callTool("mcp_c_count")).text);

      await eventually(
        () =>
          supervisor
            .server("c")!
            .status()
            .warnings.some((each) => /changes too often/.test(each)),
        "the warning",
      );
      expect(await count()).toBeLessThanOrEqual(12);
      await supervisor.callTool("mcp_c_grow");
      await eventually(() => supervisor.tools().some((tool) => tool.tool === "fresh"), "the new tool");
      expect(await count()).toBeLessThanOrEqual(12);
      expect(supervisor.server("c")!.status()).toMatchObject({ generation: 1 });
    },
  );
});

describe("odd definitions in a list", () => {
  it("C057 hides no tool because of another one", async () => {
    const supervisor = await running([scripted("odd", "oddTools.mjs", ["--set=malformed"])]);
    const names = [
      "good",
      "good-too",
      "list-schema",
      "no-schema",
      "null-schema",
      "number-description",
      "odd-annotations",
      "required-null",
      "string-schema",
      "top-anyof",
    ];

    const tools = supervisor.tools();
    expect(tools.map((tool) => tool.tool).toSorted()).toEqual(names);
    for (const { name, tool, inputSchema } of tools) {
      expect(inputSchema["type"]).toBe("object");
      expect(await supervisor.callTool(name)).toMatchObject({ ok: true, text: tool });
    }
    expect(tools.find((tool) => tool.tool === "good")?.description).toContain("tool good");
    const { warnings } = supervisor.server("odd")!.status();
    for (const name of names.slice(2).filter((each) => each !== "top-anyof")) {
      expect(warnings.join("\n")).toContain(`"${name}"`);
    }
    expect(warnings.filter((each) => each.includes("withheld"))).toHaveLength(6);
    expect(warnings.join("\n")).toContain('tool "good" is there twice; the first one is used');
  });

  it("C058 lists and calls tools whose output schemas cannot be checked, and says so", async () => {
    const supervisor = await running([scripted("refs", "oddTools.mjs", ["--set=refs"])]);

    expect(supervisor.tools()).toHaveLength(5);
    for (const name of ["fine", "broken", "badtype", "remote", "endless"]) {
      const result = await supervisor.callTool(`mcp_refs_${name}`);
      expect(result).toMatchObject({ ok: true, structured: { n: 1 } });
      expect(result.warnings.length).toBe(name === "fine" ? 0 : 1);
    }
    const { warnings } = supervisor.server("refs")!.status();
    for (const name of ["broken", "badtype", "remote", "endless"])
      expect(warnings.join("\n")).toContain(`"${name}"`);
  });

  it("C060 takes every dialect, and checks what it knows", async () => {
    const supervisor = await running([scripted("d", "oddTools.mjs", ["--set=dialects"])]);
    const call = (name: string, n: unknown) => supervisor.callTool(`mcp_d_${name}`, { n });

    for (const name of ["d7", "d2020", "d4", "unknown"]) {
      expect(await call(name, 1)).toMatchObject({ ok: true, structured: { n: 1 } });
    }
    expect((await call("unknown", 1)).warnings.join()).toContain("dialect");
    for (const name of ["d7", "d2020"]) {
      const wrong = await call(name, "one");
      expect(wrong).toMatchObject({ ok: true, structured: { n: "one" } });
      expect(wrong.warnings.join()).toContain("/n");
    }
  });

  it.each([[[]], [["--onepage"]]])(
    "C061 takes a catalog of ten megabytes %j",
    { timeout: 120_000 },
    async (args) => {
      const limits = { tools: 2000 };
      const supervisor = await running([
        scripted("huge", "manyTools.mjs", args, { limits, connectTimeout: 60 }),
        scripted("small", "manyTools.mjs", ["--tools=3"], { tools: { exclude: ["*_2"] } }),
      ]);

      expect(supervisor.server("huge")!.status()).toMatchObject({ state: "ready", toolCount: 2000 });
      expect(await supervisor.callTool("mcp_huge_tool_1999")).toMatchObject({ ok: true, text: "tool_1999" });
      expect(
        supervisor
          .tools()
          .filter((tool) => tool.server === "small")
          .map((tool) => tool.tool),
      ).toEqual(["tool_0", "tool_1"]);
      expect(await supervisor.callTool("mcp_small_tool_2")).toMatchObject({ ok: false });
    },
  );

  it("C061 reports what is over the limits", async () => {
    const supervisor = await running([scripted("huge", "manyTools.mjs", ["--tools=700", "--onepage"])]);
    const huge = supervisor.server("huge")!;
    for (const { toolCount, warnings } of [huge.status(), await huge.restart()]) {
      expect(toolCount).toBe(500);
      expect(warnings.join()).toContain("too many tools: more than 500");
    }
  });

  it("keeps the definitions it has when the same ones are listed again", async () => {
    const supervisor = await running([scripted("many", "manyTools.mjs", ["--tools=300"])]);
    const schemas = supervisor.tools().map((tool) => tool.inputSchema);

    expect(await supervisor.server("many")!.restart()).toMatchObject({ toolCount: 300, generation: 2 });
    expect(schemas).toHaveLength(300);
    expect(supervisor.tools().every((tool, at) => tool.inputSchema === schemas[at])).toBe(true);
  });
});
