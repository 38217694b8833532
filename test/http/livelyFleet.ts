import type { Cause, ServerState } from "../../src/index.js";
import { approvalOf, toolOf, type FactBody, type FakeSupervisor } from "./fakeSupervisor.js";

const cause = (kind: Cause["kind"], message: string): Cause => ({ kind, message });

/** A fleet in the middle of a working day: every kind of state, ten minutes of calls, a question waiting. */
export function livelyFleet(fake: FakeSupervisor, now = Date.now()): void {
  const minute = 60_000;
  let seed = 7;
  const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  const script: { at: number; body: FactBody }[] = [];
  const publish = (body: FactBody, at: number): void => void script.push({ at, body });
  const begin = (id: string, at: number, generation: number, to: readonly ServerState[]): void => {
    let from: ServerState | "new" = generation === 1 ? "new" : "ready";
    to.forEach((state, step) => {
      const why =
        state === "ready"
          ? cause("listed", `server "${id}" listed its tools`)
          : cause("opened", `server "${id}" goes on`);
      publish({ type: "mcp.state", id, generation, from, to: state, cause: why }, at + step * 180);
      from = state;
    });
  };
  const life: ServerState[] = ["connecting", "initializing", "listing", "ready"];

  for (const id of ["files", "github", "browser", "memory"])
    begin(id, now - 10 * minute, 1, ["idle", ...life]);
  for (const [at, id] of ["files", "github", "browser", "memory"].entries()) {
    publish(
      {
        type: "mcp.connected",
        id,
        name: id,
        generation: 1,
        tools: 4 + at,
        protocolVersion: "2025-11-25",
        server: { name: id, version: "1.4.0" },
      },
      now - 10 * minute + 900,
    );
  }
  for (let at = now - 9.9 * minute, n = 0; at < now - 2000; at += 150 + random() * 1400, n++) {
    const [id, tool] = (
      [
        ["files", "read_text_file"],
        ["github", "search_code"],
        ["browser", "open_page"],
        ["memory", "read_graph"],
      ] as const
    )[Math.floor(random() * 4)] ?? ["files", "read"];
    const ok = random() > (at > now - 4 * minute && at < now - 3 * minute ? 0.35 : 0.03);
    const slow = 78 + random() * 60 + (random() > 0.9 ? 160 : 0) + 60 * Math.sin((at - now) / 70_000);
    publish(
      { type: "mcp.call.started", call: `c${n}`, id, tool, name: `mcp_${id}_${tool}`, argumentBytes: 80 },
      at - slow,
    );
    publish(
      {
        type: "mcp.call.settled",
        call: `c${n}`,
        id,
        tool,
        name: `mcp_${id}_${tool}`,
        ok,
        ...(ok ? {} : { failure: "timeout" as const }),
        sent: "yes",
        queuedMs: 1,
        durationMs: slow,
        resultChars: 900,
      },
      at,
    );
  }
  for (const [generation, ago] of [
    [2, 7.2],
    [3, 4.1],
    [4, 1.3],
  ] as const)
    begin("browser", now - ago * minute, generation, ["closing", "deciding", "reconnecting", ...life]);
  begin("mail", now - 3.5 * minute, 1, ["connecting"]);
  publish(
    {
      type: "mcp.state",
      id: "mail",
      generation: 1,
      from: "deciding",
      to: "parked",
      cause: cause("auth-required", 'server "mail" wants a login (401); run: mcpvisor connect gmail'),
    },
    now - 3.4 * minute,
  );
  publish(
    { type: "mcp.log", id: "browser", level: "warning", message: "page took longer than 5 s to load" },
    now - 5000,
  );
  publish(
    {
      type: "mcp.call.started",
      call: "live1",
      id: "browser",
      tool: "open_page",
      name: "mcp_browser_open_page",
    },
    now - 4200,
  );
  publish({ type: "mcp.call.progress", call: "live1", id: "browser", progress: 64, total: 100 }, now - 800);
  publish(
    {
      type: "mcp.call.started",
      call: "live2",
      id: "github",
      tool: "search_code",
      name: "mcp_github_search_code",
    },
    now - 900,
  );

  for (const { at, body } of script.toSorted((a, b) => a.at - b.at)) fake.publish(body, at);

  const ready = {
    state: "ready" as const,
    cause: cause("listed", "all tools are listed"),
    since: now - 10 * minute,
  };
  fake.set({
    id: "files",
    ...ready,
    scope: "user",
    toolCount: 4,
    calls: 214,
    failures: 3,
    latency: { p50: 22, p95: 71, p99: 340 },
    file: "~/.mcpvisor/mcp.json",
  });
  fake.set({
    id: "github",
    ...ready,
    transport: "http",
    target: { kind: "http", url: "https://api.example.com/mcp", headers: { Authorization: "********" } },
    pids: [],
    toolCount: 5,
    calls: 198,
    failures: 9,
    inFlight: 1,
    latency: { p50: 48, p95: 190, p99: 410 },
    scope: "settings",
  });
  fake.set({
    id: "browser",
    ...ready,
    since: now - 1.3 * minute,
    generation: 4,
    restarts: 3,
    toolCount: 6,
    calls: 176,
    failures: 21,
    inFlight: 1,
    latency: { p50: 40, p95: 320, p99: 900 },
    warnings: ["tool open_page: outputSchema has a $ref that leads nowhere; results are not checked"],
    stderrTail: [
      "[browser] profile loaded in 812 ms",
      "[browser] warning: page took longer than 5 s to load",
      "[browser] retrying without images",
    ],
  });
  fake.set({
    id: "memory",
    ...ready,
    toolCount: 7,
    calls: 160,
    failures: 2,
    latency: { p50: 19, p95: 52, p99: 120 },
  });
  fake.set({
    id: "mail",
    state: "parked",
    since: now - 3.4 * minute,
    cause: cause("auth-required", 'server "mail" wants a login (401); run: mcpvisor connect gmail'),
    lastError: {
      kind: "auth-required",
      message: 'server "mail" wants a login (401); run: mcpvisor connect gmail',
      httpStatus: 401,
    },
    toolCount: 0,
    pids: [],
    restarts: 1,
  });
  fake.set({
    id: "search",
    state: "reconnecting",
    since: now - 4000,
    nextAttemptAt: now + 26_000,
    cause: cause("crashed", 'server "search" ended with exit code 1; trying again'),
    lastError: {
      kind: "crashed",
      message: 'server "search" ended with exit code 1: Error: EADDRINUSE',
      exitCode: 1,
    },
    toolCount: 3,
    pids: [],
    restarts: 2,
    scope: "project",
    trusted: false,
  });
  fake.set({
    id: "calendar",
    state: "idle",
    since: now - 8 * minute,
    cause: cause("idle", "nobody called for 5 minutes"),
    toolCount: 5,
    pids: [],
    calls: 12,
  });
  fake.set({
    id: "legacy",
    state: "disabled",
    enabled: false,
    since: now - 600 * minute,
    cause: cause("disabled", "switched off in settings.json"),
    toolCount: 0,
    pids: [],
  });

  fake.setTools([
    toolOf("browser", "open_page", {
      description: "[MCP browser] Opens a page and returns its text.\nImages are left out.",
      inputSchema: {
        type: "object",
        required: ["url"],
        properties: {
          url: { type: "string", description: "Address of the page" },
          wait: {
            type: "string",
            enum: ["load", "idle", "none"],
            default: "load",
            description: "When it counts as open",
          },
          timeout: { type: "integer", description: "Milliseconds" },
          images: { type: "boolean", description: "Keep images" },
          headers: { type: "object", description: "More request headers" },
        },
      },
      permission: "ask",
      pin: "changed",
      annotations: { openWorldHint: true },
    }),
    toolOf("browser", "screenshot", {
      permission: "allow",
      annotations: { readOnlyHint: true },
      description: "[MCP browser] Takes a picture of the open page.",
    }),
    toolOf("browser", "click", { permission: "ask", description: "[MCP browser] Clicks on an element." }),
    toolOf("browser", "read_text", {
      permission: "allow",
      annotations: { readOnlyHint: true },
      description: "[MCP browser] Reads the visible text of the page.",
    }),
    toolOf("browser", "download", {
      permission: "ask",
      pin: "new",
      annotations: { destructiveHint: true },
      description: "[MCP browser] Saves what a link leads to.",
    }),
    toolOf("browser", "run_script", {
      permission: "deny",
      description: "[MCP browser] Runs a script in the page.",
    }),
    toolOf("files", "read_text_file", { permission: "allow", annotations: { readOnlyHint: true } }),
  ]);
  fake.ask(
    approvalOf("a1", {
      server: "browser",
      tool: "open_page",
      title: "Open a page",
      arguments: { url: "https://example.com/report", wait: "idle" },
      reason: "its definition changed since you allowed it",
      askedAt: now - 9000,
      expiresAt: now + 4.8 * minute,
      difference: [
        {
          field: "description",
          before: "Opens a page and returns its text.",
          after: "Opens a page and returns its text. Images are left out.",
        },
      ],
    }),
  );
}
