import { describe, expect, it } from "vitest";
import { ConfigError, createSupervisor } from "../../src/index.js";
import { scripted, supervise, temporaryFolder } from "../support.js";

function make() {
  return createSupervisor({
    mode: "everything" as never,
    approvalTimeout: "soon",
    parallelStarts: 0,
    naming: "long" as never,
  });
}

describe("createSupervisor", () => {
  it("throws ConfigError naming every option that makes no sense", () => {
    expect(make).toThrow(ConfigError);
    expect(make).toThrow(
      /mode must be one of ask, allow-reads, allow-all, allow-trusted.*naming must be one of.*approvalTimeout.*parallelStarts/,
    );
  });

  it("does not throw for a wrong server: it is a problem, and the others run", () => {
    const supervisor = createSupervisor({
      servers: [
        { id: "Not An Id", command: "x" },
        scripted("good", "scripted.mjs"),
        { id: "both", command: "x", url: "https://example.com" },
      ],
      home: temporaryFolder(),
    });

    expect(supervisor.servers().map((server) => server.id)).toEqual(["good"]);
    expect(supervisor.problems().map((problem) => problem.path)).toEqual(["servers.0.id", "servers.2.url"]);
  });

  it("refuses to start when a containment that was asked for cannot be had", async () => {
    const before = process.env["PATH"];
    process.env["PATH"] = "";
    try {
      const supervisor = supervise([scripted("one", "scripted.mjs")], { containment: "subreaper" });
      await expect(supervisor.start()).rejects.toThrow(/containment "subreaper" is not available/);
    } finally {
      process.env["PATH"] = before;
    }
  });
});
