// Cancel a call: the result says so at once, and the server is told, so that it can stop working.
import { fileURLToPath } from "node:url";
import { createSupervisor } from "mcpvisor";

const server = fileURLToPath(new URL("servers/greeter.mjs", import.meta.url));
const supervisor = createSupervisor({
  servers: [{ id: "greeter", command: process.execPath, args: [server] }],
  mode: "allow-reads",
});
await supervisor.start();
await supervisor.ready({ timeout: "20s" });

const controller = new AbortController();
const call = supervisor.callTool(
  "mcp_greeter_count",
  { to: 1000 },
  {
    signal: controller.signal,
    onProgress: ({ progress }) => {
      if (progress >= 3) controller.abort();
    },
  },
);

const result = await call; // never rejects: every end of a call is a result
console.log(result.ok ? "finished" : `${result.failure.kind}, sent: ${result.call.sent}`);
await supervisor.stop();
