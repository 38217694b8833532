import type { Fact } from "../../index.js";

type LoginFact = Extract<Fact, { type: `mcp.auth.${string}` }>;

/** What happened to the tokens of a server, for people. */
export function toldOfLogin(fact: LoginFact): string {
  switch (fact.type) {
    case "mcp.auth.needed":
      return `needs a login (${fact.reason})`;
    case "mcp.auth.started":
      return `login ${fact.login} started (${fact.how})`;
    case "mcp.auth.settled":
      return fact.ok
        ? `login ${fact.login} is done`
        : `login ${fact.login} failed: ${fact.failure ?? "unknown"}`;
    case "mcp.auth.renewed":
      return `token ${fact.adopted ? "taken over from another process" : "renewed"} after ${Math.round(fact.ms)} ms`;
    case "mcp.auth.unsaved":
      return "the renewed token could not be written to disk; tried again every 5 s";
    case "mcp.auth.forgotten":
      return `logged out of account ${fact.account} (revoked: ${fact.revoked})`;
  }
}
