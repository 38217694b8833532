import type { Counter, Registry } from "prom-client";
import type { Fact } from "../../index.js";

/** Counts logins and renewals from facts. */
export function loginMetrics(Count: typeof Counter, registers: Registry[]): (fact: Fact) => void {
  const logins = new Count({
    name: "mcpvisor_logins_total",
    help: "Logins that are over; outcome is ok or failed.",
    labelNames: ["server", "outcome"],
    registers,
  });
  const renewals = new Count({
    name: "mcpvisor_token_renewals_total",
    help: "Renewed tokens; outcome is renewed, adopted from another process, or unsaved (not on disk yet).",
    labelNames: ["server", "outcome"],
    registers,
  });
  const needed = new Count({
    name: "mcpvisor_login_needed_total",
    help: "Times that only a person could give new tokens, by reason.",
    labelNames: ["server", "reason"],
    registers,
  });
  return (fact) => {
    switch (fact.type) {
      case "mcp.auth.settled":
        return logins.inc({ server: fact.id, outcome: fact.ok ? "ok" : "failed" });
      case "mcp.auth.renewed":
        return renewals.inc({ server: fact.id, outcome: fact.adopted ? "adopted" : "renewed" });
      case "mcp.auth.unsaved":
        return renewals.inc({ server: fact.id, outcome: "unsaved" });
      case "mcp.auth.needed":
        return needed.inc({ server: fact.id, reason: fact.reason });
      default:
    }
  };
}
