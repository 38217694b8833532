// Embed a fleet in a program of your own: start it, look at its tools, call one, stop.
import { fileURLToPath } from "node:url";
import { createSupervisor } from "mcpvisor";

const server = fileURLToPath(new URL("servers/greeter.mjs", import.meta.url));
const supervisor = createSupervisor({
  servers: [{ id: "greeter", command: process.execPath, args: [server] }],
  mode: "allow-reads", // read-only tools run unasked, everything else would ask `approve`
});

await supervisor.start();
await supervisor.ready({ timeout: "20s" });
console.log(supervisor.tools().map((tool) => tool.name));

const result = await supervisor.callTool("mcp_greeter_greet", { name: "Ada" });
console.log(result.ok ? result.text : result.failure.message);

const report = await supervisor.stop();
console.log(`${report.ended} ended, ${report.survivors.length} left`);
