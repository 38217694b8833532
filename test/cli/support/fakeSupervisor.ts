import { BehaviorSubject, Subject } from "rxjs";
import type {
  ConfigProblem,
  Fact,
  ReadyReport,
  ServerStatus,
  StopReport,
  Supervisor,
  ToolDescriptor,
  ToolResult,
} from "../../../src/index.js";

/** What a scripted supervisor answers. */
export interface Script {
  servers?: readonly ServerStatus[];
  tools?: readonly ToolDescriptor[];
  problems?: readonly ConfigProblem[];
  ready?: Promise<ReadyReport>;
  call?: (name: string, args: unknown) => Promise<ToolResult>;
  facts?: readonly Fact[];
}

/** A supervisor that only tells what it was given, and counts how often it was started and stopped. */
export function fakeSupervisor(script: Script) {
  const events = new Subject<Fact>();
  const servers = new BehaviorSubject(script.servers ?? []);
  const tools = new BehaviorSubject(script.tools ?? []);
  const counts = { started: 0, stopped: 0, forced: 0 };
  const stopReport: StopReport = { ended: servers.value.length, forced: 0, survivors: [], ms: 3 };
  const supervisor: Supervisor = {
    start: async () => void (counts.started += 1),
    ready: () => script.ready ?? Promise.resolve(readyReport(servers.value, script.problems ?? [])),
    definitions: () => [],
    tools: () => tools.value,
    callTool: (name, args) => script.call?.(name, args) ?? Promise.resolve(answered(name, "hello")),
    servers: () => servers.value,
    server: () => undefined,
    saveServer: () => Promise.reject(new Error("not scripted")),
    removeServer: () => Promise.resolve(false),
    enableServer: () => Promise.resolve(false),
    network: () => true,
    setNetwork: () => {},
    decide: () => false,
    approvals: () => [],
    replay: () => ({ facts: script.facts ?? [], complete: true }),
    problems: () => script.problems ?? [],
    events$: events,
    servers$: servers,
    tools$: tools,
    approvals$: new BehaviorSubject([]),
    stop: async (options) => {
      counts.stopped += 1;
      if (options?.force) counts.forced += 1;
      return stopReport;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return { supervisor, counts, events, servers, tools };
}

export function server(id: string, given: Partial<ServerStatus> = {}): ServerStatus {
  return {
    id,
    name: id,
    scope: "inline",
    transport: "stdio",
    enabled: true,
    trusted: true,
    state: "ready",
    since: 0,
    cause: { kind: "listed", message: "2 tools listed" },
    generation: 1,
    toolCount: 2,
    pids: [4711],
    restarts: 0,
    inFlight: 0,
    queued: 0,
    calls: 0,
    failures: 0,
    warnings: [],
    target: {},
    stderrTail: [],
    ...given,
  };
}

export function tool(serverId: string, name: string, given: Partial<ToolDescriptor> = {}): ToolDescriptor {
  return {
    name: `mcp_${serverId}_${name}`,
    server: serverId,
    tool: name,
    title: name,
    description: `[MCP ${serverId}] ${name}`,
    inputSchema: { type: "object" },
    annotations: {},
    permission: "allow",
    pin: "pinned",
    ...given,
  };
}

export function answered(name: string, text: string): ToolResult {
  return { ok: true, text, content: [{ type: "text", text }], warnings: [], call: info(name) };
}

export function refused(name: string, kind: "denied" | "tool-error", message: string): ToolResult {
  return {
    ok: false,
    text: message,
    content: [],
    warnings: [],
    call: info(name),
    failure: { kind, message },
  };
}

function info(name: string) {
  return {
    id: "c1",
    server: "files",
    tool: name,
    name,
    queuedMs: 0,
    durationMs: 12,
    sent: "yes" as const,
  };
}

function readyReport(servers: readonly ServerStatus[], problems: readonly ConfigProblem[]): ReadyReport {
  return {
    ok: servers.every((each) => each.state === "ready"),
    timedOut: false,
    servers: servers.map(({ id, state, cause }) => ({ id, state, required: false, cause })),
    problems,
    ms: 5,
  };
}
