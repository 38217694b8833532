// The gateway before the SDK's example server, as a process of its own: tells its port, ends with its parent.
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSupervisor } from "../../../dist/index.js";
import { openGateway, saveConsumers } from "../../../dist/gateway/index.js";
import { serve } from "../../../dist/http/index.js";

const revision = process.argv[2];
const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const home = mkdtempSync(join(tmpdir(), "mcpvisor-gateway-conformance-"));
const everything = fork(join(here, "everything.mjs"), { stdio: ["ignore", "ignore", "inherit", "ipc"] });
const { port } = await new Promise((resolve) => everything.once("message", resolve));
// The suite sends no token: requests without one come from this consumer.
await saveConsumers(home, [{ name: "suite", config: { expose: "all" } }], "suite");
const supervisor = createSupervisor({
  home,
  mode: "allow-trusted",
  consumers: true,
  servers: [
    {
      id: "everything",
      url: `http://127.0.0.1:${port}/mcp`,
      trusted: true,
      ...(revision === undefined ? {} : { protocolVersion: revision }),
    },
  ],
});
const ready = await supervisor.ready({ timeout: "20s" });
if (!ready.ok) console.error(JSON.stringify(ready));
const gateway = await openGateway(supervisor, { home });
const service = await serve(supervisor, { home, mounts: [gateway], dashboard: false });
process.send?.({ url: `${service.url}/mcp/s/everything` });
if (process.send === undefined) console.log(`${service.url}/mcp/s/everything`);

async function end() {
  everything.kill();
  await service.close();
  await supervisor.stop();
  rmSync(home, { recursive: true, force: true });
  process.exit(0);
}
process.on("disconnect", () => void end());
process.on("SIGTERM", () => void end());
