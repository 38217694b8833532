// The fleet of the examples in this folder: one small server, whose tools run unasked.
import { fileURLToPath } from "node:url";
import { createSupervisor } from "mcpvisor";

export async function fleet() {
  const server = fileURLToPath(new URL("../servers/greeter.mjs", import.meta.url));
  const supervisor = createSupervisor({
    servers: [{ id: "greeter", command: process.execPath, args: [server], auto_approve: ["greet"] }],
    mode: "ask",
  });
  await supervisor.start();
  await supervisor.ready({ timeout: "20s" });
  return supervisor;
}
