// The gateway before one fast stdio server; `heap` gives what it holds, so that idle sessions can be weighed.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openGateway } from "../../dist/gateway/index.js";
import { ensureToken, serve } from "../../dist/http/index.js";
import { createSupervisor } from "../../dist/index.js";

const home = mkdtempSync(join(tmpdir(), "mcpvisor-bench-"));
const supervisor = createSupervisor({
  home,
  mode: "allow-trusted",
  consumers: true,
  servers: [
    {
      id: "bench",
      command: process.execPath,
      args: [join(import.meta.dirname, "../servers/stdio.mjs")],
      trusted: true,
      limits: { tools: 6000, pages: 100 },
    },
  ],
});
await supervisor.ready();
const gateway = await openGateway(supervisor, { home, ownerToken: await ensureToken(home) });
const limits = { inFlight: 1000, perMinute: 1e9, sessions: 1000, streams: 1000 };
const { token } = gateway.consumers.add("bench", { limits });
const service = await serve(supervisor, { home, mounts: [gateway], dashboard: false, metrics: false });
process.send({ url: `${service.url}/mcp`, token, tool: "bench__echo", home });
process.on("message", () => void weigh());

async function weigh() {
  await new Promise((done) => setTimeout(done, 100));
  globalThis.gc?.();
  globalThis.gc?.();
  process.send({ heap: process.memoryUsage().heapUsed });
}

process.on("disconnect", () => void end());

async function end() {
  await service.close();
  await supervisor.stop();
  rmSync(home, { recursive: true, force: true });
  process.exit();
}
