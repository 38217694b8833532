import { execFile } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { serviceCases } from "./cases/all.js";
import { canary, type Fleet, makeHome, startFleet, writeTokens } from "./support/fleet.js";
import { call, dist, initialize, type Stdio, start, toolNames, tools as toolsOf } from "./support/stdio.js";

const gmailNames = [
  "gmail_search",
  "gmail_read",
  "gmail_read_thread",
  "gmail_list_labels",
  "gmail_create_draft",
  "gmail_send",
  "gmail_trash",
];
const connectorNames = [
  "github_search",
  "github_read_file",
  "github_list_issues",
  "github_read_issue",
  "github_create_issue",
  "github_comment_issue",
  "github_list_pull_requests",
  "github_read_pull_request",
  "slack_list_channels",
  "slack_read_history",
  "slack_search_messages",
  "slack_post_message",
  "notion_search",
  "notion_read_page",
  "notion_append_to_page",
  "notion_create_page",
  "linear_search_issues",
  "linear_read_issue",
  "linear_create_issue",
  "linear_comment_issue",
  "vercel_list_projects",
  "vercel_list_deployments",
  "vercel_read_logs",
  "vercel_deploy",
  "cloudflare_list_zones",
  "cloudflare_list_dns_records",
  "cloudflare_create_dns_record",
  "cloudflare_update_dns_record",
  "cloudflare_delete_dns_record",
  "supabase_list_tables",
  "supabase_select",
  "supabase_insert",
  "supabase_update",
];
const modern = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  },
};
const patient = { timeout: 20_000, interval: 20 };

let fleet: Fleet;
const running: Stdio[] = [];
const homes: string[] = [];

beforeEach(async () => {
  fleet = await startFleet();
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
  await fleet.close();
  await Promise.all(homes.splice(0).map((home) => rm(home, { recursive: true, force: true })));
});

function run(...args: Parameters<typeof start>): Stdio {
  const server = start(...args);
  running.push(server);
  return server;
}

async function emptyHome(): Promise<string> {
  const home = await makeHome();
  homes.push(home);
  return home;
}

describe("the built-in servers", () => {
  it("offer 7 tools for Gmail and 33 for the connectors, in a fixed order", async () => {
    const gmail = run("gmail", fleet.args.gmail);
    const connectors = run("connectors", fleet.args.connectors);

    await initialize(gmail);
    await initialize(connectors);

    expect(await toolNames(gmail)).toEqual(gmailNames);
    expect(await toolNames(connectors)).toEqual(connectorNames);
  });

  it("mark reads as read-only and everything else as destructive, with titles and both schemas", async () => {
    const kinds = new Map(serviceCases.flatMap(({ tools }) => tools.map(({ tool, kind }) => [tool, kind])));
    for (const name of ["gmail", "connectors"] as const) {
      const server = run(name, fleet.args[name]);
      await initialize(server);

      for (const tool of await toolsOf(server)) {
        const reads = kinds.get(String(tool["name"])) === "read";
        expect(tool["annotations"]).toMatchObject({ readOnlyHint: reads, destructiveHint: !reads });
        expect(tool["title"]).toMatch(/^[A-Z]/);
        expect(tool["inputSchema"]).toMatchObject({ type: "object", additionalProperties: false });
        expect(tool["outputSchema"]).toMatchObject({ type: "object" });
      }
    }
  });

  it("speak the modern era to a host that opens with server/discover", async () => {
    const server = run("connectors", fleet.args.connectors);
    fleet.fake("cloudflare").mood({
      kind: "routes",
      routes: { "GET /zones": { body: { success: true, errors: [], result: [] } } },
    });

    const discovered = await server.request("server/discover", modern);
    const listed = await toolsOf(server, modern);
    const called = await server.request("tools/call", {
      ...modern,
      name: "cloudflare_list_zones",
      arguments: {},
    });

    expect(discovered.result?.["supportedVersions"]).toContain("2026-07-28");
    expect(listed).toHaveLength(33);
    expect(called.result).toMatchObject({ resultType: "complete", structuredContent: { zones: [] } });
  });

  it("list no tools of a service without an account and say so in their instructions", async () => {
    const home = await emptyHome();
    await writeTokens(home, {
      linear: { label: "x", kind: "token", keptIn: "file", connectedAt: 1, secrets: { accessToken: "k" } },
    });
    const server = run("connectors", ["--home", home, "--services", "slack,linear"]);

    const { instructions } = await initialize(server);

    expect(await toolNames(server)).toEqual(connectorNames.filter((name) => name.startsWith("linear_")));
    expect(instructions).toContain("Slack is not connected");
    expect(instructions).toContain("mcpvisor connect slack");
    expect(instructions).not.toContain("Linear is not connected");
    expect(instructions).not.toContain("GitHub");
  });

  it("take a token from the environment before the one in the store", async () => {
    const server = run("connectors", [...fleet.args.connectors, "--services", "github"], {
      MCPVISOR_GITHUB_TOKEN: "token-of-the-environment",
    });
    await initialize(server);
    fleet.fake("github").mood({ kind: "always", answer: () => ({ body: { total_count: 0, items: [] } }) });

    await call(server, "github_search", { query: "x" });

    expect(fleet.fake("github").seen[0]?.headers.authorization).toBe("Bearer token-of-the-environment");
  });

  it("offer the tools of an account that is connected while they run, and tell the host", async () => {
    const home = await emptyHome();
    const server = run("gmail", ["--home", home]);
    await initialize(server);
    expect(await toolNames(server)).toEqual([]);

    await writeTokens(home, {
      gmail: { label: "x", kind: "token", keptIn: "file", connectedAt: 1, secrets: { accessToken: "k" } },
    });

    await vi.waitFor(
      () => expect(server.notes.map(({ method }) => method)).toContain("notifications/tools/list_changed"),
      patient,
    );
    expect(await toolNames(server)).toEqual(gmailNames);
  });

  it("abort what they asked of a service when the call is cancelled", async () => {
    const fake = fleet.fake("github");
    fake.mood({ kind: "routes", routes: {}, hangs: () => true });
    const server = run("connectors", fleet.args.connectors);
    await initialize(server);

    const { id } = server.request("tools/call", { name: "github_search", arguments: { query: "x" } });
    await vi.waitFor(() => expect(fake.seen).toHaveLength(1), patient);
    server.send({ method: "notifications/cancelled", params: { requestId: id } });

    await vi.waitFor(() => expect(fake.aborted()).toBe(1), patient);
    expect(await toolNames(server)).toHaveLength(33);
  });

  it("end at once when their stdin ends, also in the middle of a call", async () => {
    const fake = fleet.fake("gmail");
    fake.mood({ kind: "routes", routes: {}, hangs: () => true });
    const server = run("gmail", fleet.args.gmail);
    await initialize(server);
    void server.request("tools/call", { name: "gmail_list_labels", arguments: {} });
    await vi.waitFor(() => expect(fake.seen).toHaveLength(1), patient);

    expect(await server.close()).toBe(0);
  });

  it.each([
    [["--services", "github,jira"], '"jira" is not one of'],
    [["--timeout", "soon"], '--timeout: "soon" is not a number above 0'],
    [["--github-url", "http://example.com"], '"http://example.com" is no base address'],
    [["--colour"], "--colour"],
  ])("refuse the command line %j with exit code 2 and a reason", async (args, reason) => {
    const server = run("connectors", args);

    await once(server.child, "close");

    expect(server.child.exitCode).toBe(2);
    expect(server.stderr()).toContain(reason);
    expect(server.stdout()).toBe("");
  });

  it("say in --help that the host has to ask", async () => {
    const file = join(dist, "gmail", "main.js");
    const { stdout: text } = await promisify(execFile)(process.execPath, [file, "--help"]);

    expect(text).toContain("It makes no permission decisions: the host has to ask.");
  });

  it("keep serving, with the reason on stderr, when others may read tokens.json", async () => {
    const home = await emptyHome();
    await writeTokens(home, { gmail: { secrets: { accessToken: canary("gmail") } } });
    const server = run("gmail", ["--home", home]);

    const { instructions } = await initialize(server);

    expect(instructions).toContain("Gmail is not connected");
    await vi.waitFor(() => expect(server.stderr()).toContain("is not a token file of this version"), patient);
    expect(server.stderr()).not.toContain(canary("gmail"));
  });
});
