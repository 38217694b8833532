import { describe, expect, it } from "vitest";
import { serve } from "../../src/http/index.js";
import { createServiceClient } from "../../src/http/client/client.js";
import { ensureToken } from "../../src/http/guard/token.js";
import { eventually, running, scripted, temporaryFolder } from "../support.js";
import { answering, entry } from "../supervisor/handoverServer.js";

describe("the switch of the network", () => {
  it("parks servers with a url at once, keeps them parked, and brings them back; over the API as well", async () => {
    const server = await answering();
    const home = temporaryFolder();
    const supervisor = await running([entry(server.url), scripted("one", "scripted.mjs")], { home });
    const stateOf = (id: string) => supervisor.server(id)!.status().state;
    expect(supervisor.network()).toBe(true);

    supervisor.setNetwork(false);
    await eventually(() => stateOf("h") === "parked", "it is parked");

    expect(supervisor.server("h")!.status().cause.kind).toBe("network-off");
    expect(stateOf("one")).toBe("ready");
    const before = server.seen.length;
    expect(await supervisor.callTool("mcp_h_echo", {})).toMatchObject({ ok: false });
    expect((await supervisor.server("h")!.connect()).state).toBe("parked");
    expect((await supervisor.saveServer(entry(server.url, "2"))).state).toBe("parked");
    expect(server.seen.filter(({ method }) => method === "POST").length).toBeLessThanOrEqual(before);

    const service = await serve(supervisor, { home, port: 0 });
    const client = createServiceClient({ url: service.url }, await ensureToken(home));
    try {
      expect(await client.network()).toBe(false);
      expect(await client.setNetwork(true)).toBe(true);
      await eventually(() => stateOf("h") === "ready", "it is back");
      expect(await supervisor.callTool("mcp_h_echo", {})).toMatchObject({ ok: true });
    } finally {
      client.close();
      await service.close();
    }
  });
});
