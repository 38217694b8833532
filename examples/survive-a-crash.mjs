// Test your own host against a server that dies while it answers, and check the promises of the supervisor.
import { createSupervisor } from "mcpvisor";
import { fakeServer, fleetOf, watchInvariants } from "mcpvisor/testing";

const shop = await fakeServer({
  id: "shop",
  over: "stdio",
  tools: [{ name: "order", answer: ({ item }) => `ordered ${String(item)}` }],
  faults: [{ fault: "crash-mid", tool: "order", nth: 2 }],
});
const supervisor = createSupervisor({ ...fleetOf(shop), mode: "allow-trusted" });
const watch = watchInvariants(supervisor.events$);
await supervisor.ready({ timeout: "20s" });

for (const item of ["tea", "rice", "salt"]) {
  const result = await supervisor.callTool("mcp_shop_order", { item });
  console.log(result.ok ? result.text : result.failure.kind);
}

await supervisor.stop();
console.log(`${shop.received.filter(({ tool }) => tool === "order").length} orders reached the shop`);
console.log(`${watch.finish().length} promises broken`);
await shop.close();
