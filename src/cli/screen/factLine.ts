import type { Fact } from "../../index.js";
import { toldOfLogin } from "./loginLine.js";
import { milliseconds, withoutSubject } from "./serverTable.js";
import { visible } from "./visible.js";

/** A fact as one plain line for people: time of day, server, what happened. */
export function factLine(fact: Fact): string {
  const time = new Date(fact.at).toTimeString().slice(0, 8);
  const subject = fact.type === "mcp.config" ? fact.file : fact.id;
  return visible(`${time} ${subject}: ${told(fact)}`);
}

function told(fact: Fact): string {
  switch (fact.type) {
    case "mcp.state":
      return `${fact.from} -> ${fact.to} (generation ${fact.generation}): ${withoutSubject(fact.cause.message)}`;
    case "mcp.connected":
      return `connected to ${fact.server.name} ${fact.server.version}, MCP ${fact.protocolVersion}, ${count(fact.tools, "tool")}`;
    case "mcp.disconnected":
      return `disconnected: ${withoutSubject(fact.reason.message)}`;
    case "mcp.error":
      return `error: ${withoutSubject(fact.error.message)}`;
    case "mcp.retired":
      return "removed";
    case "mcp.tools":
      return `tools: ${[...named("added", fact.added), ...named("removed", fact.removed), ...named("changed", fact.changed)].join("; ")}`;
    case "mcp.lists":
      return `told that its ${fact.list} changed`;
    case "mcp.config":
      return `configuration read: ${[...named("added", fact.added), ...named("removed", fact.removed), ...named("changed", fact.changed), ...named("wrong", fact.errors)].join("; ") || "no change"}`;
    case "mcp.log":
      return `${fact.level}: ${fact.message}`;
    case "mcp.auth.needed":
    case "mcp.auth.started":
    case "mcp.auth.settled":
    case "mcp.auth.renewed":
    case "mcp.auth.unsaved":
    case "mcp.auth.forgotten":
      return toldOfLogin(fact);
    default:
      return toldOfCall(fact);
  }
}

type CallFact = Extract<Fact, { type: `mcp.call.${string}` | `mcp.approval.${string}` }>;

function toldOfCall(fact: CallFact): string {
  switch (fact.type) {
    case "mcp.call.started":
      return `call ${fact.call} of ${fact.tool} started${fact.consumer === undefined ? "" : ` for ${fact.consumer}`}`;
    case "mcp.call.progress":
      return `call ${fact.call} is at ${fact.progress}${fact.total === undefined ? "" : ` of ${fact.total}`}`;
    case "mcp.call.settled":
      return `call ${fact.call} of ${fact.tool} ${fact.ok ? "answered" : `failed (${fact.failure ?? "internal"})`} after ${milliseconds(fact.durationMs)}`;
    case "mcp.approval.requested":
      return `asks whether ${fact.tool === undefined ? "it may start" : `${fact.tool} may run`} (${fact.approval}): ${fact.reason}`;
    case "mcp.approval.decided":
      return `${fact.approval} was decided: ${fact.decision} (by ${fact.by})`;
  }
}

function named(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, 5).join(", ");
  return [`${what} ${shown}${names.length > 5 ? ` and ${names.length - 5} more` : ""}`];
}

/** `1 tool`, `2 tools`. */
export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
