import { expect, it } from "vitest";
import { rig } from "./rig.js";

it("counts logins, renewals and needs of a login by server and outcome", async () => {
  const { fake, ask } = await rig();
  const id = "remote";
  for (const ok of [true, false, false])
    fake.publish({ type: "mcp.auth.settled", login: "l", id, ok, ms: 1 });
  for (const adopted of [true, false])
    fake.publish({ type: "mcp.auth.renewed", id, account: "default", ms: 1, adopted, rotated: true });
  fake.publish({ type: "mcp.auth.unsaved", id });
  fake.publish({ type: "mcp.auth.needed", id, account: "default", reason: "revoked" });

  const lines = (await (await ask("GET", "/metrics")).text()).split("\n");

  for (const line of [
    'mcpvisor_logins_total{server="remote",outcome="ok"} 1',
    'mcpvisor_logins_total{server="remote",outcome="failed"} 2',
    'mcpvisor_token_renewals_total{server="remote",outcome="adopted"} 1',
    'mcpvisor_token_renewals_total{server="remote",outcome="renewed"} 1',
    'mcpvisor_token_renewals_total{server="remote",outcome="unsaved"} 1',
    'mcpvisor_login_needed_total{server="remote",reason="revoked"} 1',
  ])
    expect(lines).toContain(line);
});
