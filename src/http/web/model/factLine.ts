import { isServerFailure, serverMs } from "../../../callFacts.js";
import type { Fact } from "../../../index.js";
import { duration } from "./format.js";

export interface FactLine {
  readonly tone: "good" | "bad" | "wait" | "plain";
  readonly server: string;
  readonly text: string;
}

/** One fact as one line for people. */
export function factLine(fact: Fact): FactLine {
  const line = (tone: FactLine["tone"], text: string): FactLine => ({
    tone,
    server: "id" in fact ? fact.id : "",
    text,
  });
  switch (fact.type) {
    case "mcp.state":
      return line(
        fact.to === "ready" ? "good" : fact.to === "parked" || fact.to === "stuck" ? "bad" : "plain",
        `${fact.from} → ${fact.to}: ${fact.cause.message}`,
      );
    case "mcp.connected":
      return line("good", `connected, ${fact.tools} tools, MCP ${fact.protocolVersion}`);
    case "mcp.disconnected":
      return line("wait", `disconnected: ${fact.reason.message}`);
    case "mcp.error":
      return line("bad", fact.error.message);
    case "mcp.retired":
      return line("plain", "retired");
    case "mcp.tools":
      return line("plain", `tools: +${fact.added.length} −${fact.removed.length} ~${fact.changed.length}`);
    case "mcp.lists":
      return line("plain", `its list of ${fact.list} changed`);
    case "mcp.call.started":
      return line("plain", `${fact.tool} called${by(fact)}`);
    case "mcp.call.progress":
      return line("plain", `progress ${fact.progress}${fact.total === undefined ? "" : ` of ${fact.total}`}`);
    case "mcp.call.settled":
      return line(
        fact.ok ? "good" : isServerFailure(fact.failure ?? "internal") ? "bad" : "wait",
        `${fact.tool} ${fact.ok ? "ok" : (fact.failure ?? "failed")} after ${duration(serverMs(fact))}${waited(fact)}${by(fact)}`,
      );
    case "mcp.approval.requested":
      return line("wait", `asks: ${fact.tool ?? "start"} (${fact.reason})`);
    case "mcp.approval.decided":
      return line(fact.decision === "deny" ? "bad" : "good", `${fact.decision} by ${fact.by}`);
    case "mcp.auth.needed":
      return line("wait", `needs a login (${fact.reason})`);
    case "mcp.auth.started":
      return line("plain", `a login began (${fact.how})`);
    case "mcp.auth.settled":
      return line(
        fact.ok ? "good" : "bad",
        fact.ok ? "logged in" : `login failed: ${fact.failure ?? "unknown"}`,
      );
    case "mcp.auth.renewed":
      return line("plain", `token ${fact.adopted ? "taken over" : "renewed"}`);
    case "mcp.auth.unsaved":
      return line("bad", "the renewed token could not be written to disk");
    case "mcp.auth.forgotten":
      return line("plain", `logged out (revoked: ${fact.revoked})`);
    case "mcp.config":
      return line(
        fact.errors.length > 0 ? "bad" : "plain",
        `${fact.file}: +${fact.added.length} −${fact.removed.length} ~${fact.changed.length}${fact.errors.map((each) => `; ${each}`).join("")}`,
      );
    case "mcp.log":
      return line(fact.level === "error" ? "bad" : fact.level === "warning" ? "wait" : "plain", fact.message);
  }
}

function by({ consumer }: { readonly consumer?: string }): string {
  return consumer === undefined ? "" : `, for ${consumer}`;
}

/** What of its time was no work of the server's, where that is worth a word. */
function waited({ queuedMs, approvalMs = 0 }: Extract<Fact, { type: "mcp.call.settled" }>): string {
  const place = queuedMs >= 100 ? `, ${duration(queuedMs)} waiting for a place` : "";
  return approvalMs > 0 ? `${place}, ${duration(approvalMs)} for a person` : place;
}
