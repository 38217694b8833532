// Watch what happens: a server is killed in the middle of its life, and the next call brings it back.
import { fileURLToPath } from "node:url";
import { createSupervisor } from "mcpvisor";

const server = fileURLToPath(new URL("servers/greeter.mjs", import.meta.url));
const supervisor = createSupervisor({
  servers: [{ id: "greeter", command: process.execPath, args: [server] }],
  mode: "allow-reads",
});

supervisor.events$.subscribe((fact) => {
  if (fact.type === "mcp.state") {
    console.log(`#${fact.generation} ${fact.from} -> ${fact.to}: ${fact.cause.message}`);
  }
});

await supervisor.start();
await supervisor.ready({ timeout: "20s" });

const [pid] = supervisor.server("greeter").status().pids;
const died = firstFact("mcp.disconnected");
process.kill(pid, "SIGKILL");
await died;

const result = await supervisor.callTool("mcp_greeter_greet", { name: "Grace" });
console.log(result.ok ? result.text : result.failure.message);
await supervisor.stop();

function firstFact(type) {
  return new Promise((resolve) => {
    const subscription = supervisor.events$.subscribe((fact) => {
      if (fact.type !== type) return;
      subscription.unsubscribe();
      resolve(fact);
    });
  });
}
