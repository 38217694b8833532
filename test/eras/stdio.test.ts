import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { running, scripted, temporaryFolder } from "../support.js";

const legacy = "2025-11-25";
const modern = "2026-07-28";

interface Met {
  readonly version: string | undefined;
  readonly starts: number;
  readonly seen: string;
  readonly restarts: number;
}

/** Connects to a server of this kind and tells how that went. */
async function meet(kind: string, protocolVersion?: string, home = temporaryFolder()): Promise<Met> {
  const log = join(temporaryFolder(), "starts");
  const pin = protocolVersion === undefined ? {} : { protocolVersion };
  const supervisor = await running(
    [scripted("era", "eraStdio.mjs", [kind], { ...pin, env: { ERA_LOG: log } })],
    {
      home,
    },
  );
  const result = await supervisor.callTool("mcp_era_seen", {});
  const [status] = supervisor.servers();
  await supervisor.stop();
  return {
    version: status?.protocolVersion,
    restarts: status?.restarts ?? -1,
    starts: readFileSync(log, "utf8").split("\n").length - 1,
    seen: result.text,
  };
}

const greeted = "initialize notifications/initialized tools/list tools/call";

describe("an unknown process", () => {
  it.each(["-32601", "silent", "exits", "strict", "dual"])(
    "is greeted with initialize and never probed: %s",
    async (kind) => {
      expect(await meet(kind)).toEqual({ version: legacy, starts: 1, restarts: 0, seen: greeted });
    },
  );

  it.each(["modern", "modern-error"])("is asked to discover when it refuses initialize: %s", async (kind) => {
    const { version, starts, seen } = await meet(kind);

    expect({ version, starts }).toEqual({ version: modern, starts: 1 });
    expect(seen).toMatch(/^initialize server\/discover (server\/discover )?tools\/list tools\/call$/);
  });

  it("is asked to discover at once when it is remembered as modern", async () => {
    const home = temporaryFolder();
    await meet("modern", undefined, home);
    const log = join(temporaryFolder(), "starts");
    const config = scripted("era", "eraStdio.mjs", ["modern"], { env: { ERA_LOG: log } });
    const first = await running([config], { home });
    await first.stop();

    const second = await running([config], { home });

    expect((await second.callTool("mcp_era_seen", {})).text).toBe("server/discover tools/list tools/call");
  });
});

describe("a process with protocolVersion auto (row 25)", () => {
  it.each(["-32601", "-32602", "-32600", "-32000", "null-id", "empty"])(
    "is greeted on the same pipe when it answers the probe with %s",
    async (kind) => {
      expect(await meet(kind, "auto")).toEqual({
        version: legacy,
        starts: 1,
        restarts: 0,
        seen: `server/discover ${greeted}`,
      });
    },
  );

  it("is greeted after a while when it is silent", async () => {
    expect(await meet("silent", "auto")).toEqual({
      version: legacy,
      starts: 1,
      restarts: 0,
      seen: `server/discover ${greeted}`,
    });
  });

  it.each(["exits", "strict"])(
    "is started again when it ends over the probe, which is no restart: %s",
    async (kind) => {
      expect(await meet(kind, "auto")).toEqual({ version: legacy, starts: 2, restarts: 0, seen: greeted });
    },
  );

  it.each(["modern", "modern-error", "dual"])("speaks the newest revision when it can: %s", async (kind) => {
    const { version, starts, seen } = await meet(kind, "auto");

    expect({ version, starts }).toEqual({ version: modern, starts: 1 });
    expect(seen).toMatch(/^(server\/discover ){1,2}tools\/list tools\/call$/);
  });
});

describe("a pinned revision", () => {
  it("is the only one that is tried", async () => {
    expect(await meet("dual", "2025-06-18")).toMatchObject({ version: "2025-06-18", seen: greeted });
    expect(await meet("dual", modern)).toMatchObject({
      version: modern,
      seen: "server/discover tools/list tools/call",
    });
  });

  it("parks a server that does not speak it, naming the revisions", async () => {
    const supervisor = await running([
      scripted("old", "eraStdio.mjs", ["-32601"], { protocolVersion: modern }),
      scripted("other", "eraStdio.mjs", ["other"], { protocolVersion: "auto" }),
    ]);

    const [old, other] = supervisor.servers();
    expect(old).toMatchObject({ state: "parked", cause: { kind: "version-mismatch" } });
    expect(other).toMatchObject({ state: "parked", cause: { kind: "version-mismatch" } });
    expect(other?.cause.message).toContain("2031-01-01");
  });
});
