import { BehaviorSubject, Subject } from "rxjs";
import type {
  ApprovalRequest,
  CallOptions,
  ConfigProblem,
  Decision,
  Fact,
  ServerConfig,
  ServerStatus,
  Supervisor,
  ToolDescriptor,
  ToolResult,
} from "../../src/index.js";
import { emptyLibrary } from "./emptyLibrary.js";

type Body<T> = T extends unknown ? Omit<T, "seq" | "at"> : never;
export type FactBody = Body<Fact>;

/** A supervisor whose every answer is scripted, with a journal that works like the real one. */
export interface FakeSupervisor extends Supervisor {
  publish(fact: FactBody, at?: number): Fact;
  set(status: Partial<ServerStatus> & { id: string }): ServerStatus;
  setTools(tools: readonly ToolDescriptor[]): void;
  ask(request: ApprovalRequest): void;
  readonly decisions: { id: string; decision: Decision }[];
  readonly saved: ServerConfig[];
  readonly actions: string[];
  readonly calls: { name: string; args: unknown; options: CallOptions }[];
  /** What callTool does; by default it echoes. */
  onCall: (name: string, args: unknown, options: CallOptions) => Promise<ToolResult>;
  onSave: (config: ServerConfig) => Promise<ServerStatus>;
  /** What connect() and restart() end in. */
  onAction: (id: string, action: string) => Promise<Partial<ServerStatus>>;
  found: ConfigProblem[];
  isReady: boolean;
}

export function fakeSupervisor(journalSize = 10_000): FakeSupervisor {
  const statuses = new Map<string, ServerStatus>();
  const events$ = new Subject<Fact>();
  const servers$ = new BehaviorSubject<readonly ServerStatus[]>([]);
  const tools$ = new BehaviorSubject<readonly ToolDescriptor[]>([]);
  const approvals$ = new BehaviorSubject<readonly ApprovalRequest[]>([]);
  let journal: Fact[] = [];
  let seq = 0;

  let network = true;
  const fake: FakeSupervisor = {
    decisions: [],
    saved: [],
    actions: [],
    calls: [],
    found: [],
    isReady: true,
    events$,
    servers$,
    tools$,
    approvals$,
    onCall: async (name, args) => resultOf(name, JSON.stringify(args)),
    onSave: async (config) => fake.set({ id: config.id, name: config.name ?? config.id }),
    onAction: async (_id, action) => ({ state: action === "disconnect" ? "idle" : "ready" }),
    publish(body, at = Date.now()) {
      const fact = { ...body, seq: ++seq, at } as Fact;
      journal.push(fact);
      if (journal.length > 2 * journalSize) journal = journal.slice(-journalSize);
      events$.next(fact);
      return fact;
    },
    set(status) {
      const next = { ...(statuses.get(status.id) ?? statusOf(status.id)), ...status };
      statuses.set(status.id, next);
      servers$.next([...statuses.values()]);
      return next;
    },
    setTools: (tools) => tools$.next(tools),
    ask(request) {
      approvals$.next([...approvals$.value, request]);
      fake.publish({
        type: "mcp.approval.requested",
        approval: request.id,
        id: request.server,
        tool: request.tool,
        reason: request.reason,
      });
    },
    start: async () => undefined,
    ready: async () => ({ ok: fake.isReady, timedOut: false, servers: [], problems: [], ms: 0 }),
    definitions: () => [],
    tools: () => tools$.value,
    async callTool(name, args, options = {}) {
      fake.calls.push({ name, args, options });
      return fake.onCall(name, args, options);
    },
    servers: () => [...statuses.values()],
    server(id) {
      if (!statuses.has(id)) return undefined;
      const act = async (action: string): Promise<ServerStatus> => {
        fake.actions.push(`${action} ${id}`);
        const generation = (statuses.get(id)?.generation ?? 0) + (action === "restart" ? 1 : 0);
        return fake.set({ id, generation, ...(await fake.onAction(id, action)) });
      };
      return {
        id,
        status: () => statuses.get(id) ?? statusOf(id),
        version: () => JSON.stringify(statuses.get(id)?.name ?? id).replaceAll('"', ""),
        connect: () => act("connect"),
        disconnect: () => act("disconnect"),
        login: () => Promise.reject(new Error("no login here")),
        account: () => Promise.resolve(undefined),
        logout: () => Promise.resolve({ revoked: "unsupported" as const }),
        request: async () => ({ ok: true, value: {}, warnings: [] }),
        restart: () => act("restart"),
        ...emptyLibrary,
      };
    },
    async saveServer(given: object) {
      const config = given as ServerConfig;
      fake.saved.push(config);
      return fake.onSave(config);
    },
    async removeServer(id) {
      const known = statuses.delete(id);
      servers$.next([...statuses.values()]);
      return known;
    },
    async enableServer(id, enabled) {
      if (!statuses.has(id)) return false;
      fake.actions.push(`${enabled ? "enable" : "disable"} ${id}`);
      fake.set({ id, enabled, state: enabled ? "idle" : "disabled" });
      return true;
    },
    network: () => network,
    setNetwork(enabled) {
      network = enabled;
    },
    decide(id, decision) {
      const pending = approvals$.value.find((each) => each.id === id);
      if (pending === undefined) return false;
      fake.decisions.push({ id, decision });
      approvals$.next(approvals$.value.filter((each) => each.id !== id));
      fake.publish({ type: "mcp.approval.decided", approval: id, id: pending.server, decision, by: "host" });
      return true;
    },
    approvals: () => approvals$.value,
    replay(afterSeq) {
      const held = journal.slice(-journalSize);
      const oldest = held[0]?.seq ?? seq + 1;
      return { facts: held.filter((fact) => fact.seq > afterSeq), complete: afterSeq >= oldest - 1 };
    },
    problems: () => fake.found,
    stop: async () => ({ ended: 0, forced: 0, survivors: [], ms: 0 }),
    [Symbol.asyncDispose]: async () => undefined,
  };
  return fake;
}

export function statusOf(id: string): ServerStatus {
  return {
    id,
    name: id,
    scope: "inline",
    transport: "stdio",
    enabled: true,
    trusted: true,
    state: "ready",
    since: 1_700_000_000_000,
    cause: { kind: "listed", message: "listed 2 tools" },
    generation: 1,
    protocolVersion: "2025-11-25",
    serverInfo: { name: id, version: "1.0.0" },
    toolCount: 2,
    pids: [4242],
    restarts: 0,
    inFlight: 0,
    queued: 0,
    calls: 0,
    failures: 0,
    warnings: [],
    target: { kind: "stdio", command: "node", args: ["server.mjs"], env: { TOKEN: "********" } },
    stderrTail: [],
  };
}

export function resultOf(name: string, text: string): ToolResult {
  return {
    ok: true,
    text,
    content: [{ type: "text", text }],
    warnings: [],
    call: { id: "c1", server: "files", tool: "read", name, queuedMs: 0, durationMs: 3, sent: "yes" },
  };
}

export function toolOf(server: string, tool: string, more: Partial<ToolDescriptor> = {}): ToolDescriptor {
  return {
    name: `mcp_${server}_${tool}`,
    server,
    tool,
    title: tool,
    description: `[MCP ${server}] ${tool}`,
    inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    annotations: {},
    permission: "ask",
    pin: "pinned",
    ...more,
  };
}

export function approvalOf(id: string, more: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    id,
    kind: "call",
    server: "files",
    tool: "write",
    title: "Write a file",
    arguments: { path: "/tmp/a.txt", text: "hello" },
    annotations: { destructiveHint: true },
    reason: "the tool may change things",
    answers: ["allow", "allow-for-session", "deny"],
    remedies: { autoApprove: true, modes: ["allow-trusted"] },
    askedAt: 1_700_000_000_000,
    expiresAt: 1_700_000_300_000,
    ...more,
  };
}
