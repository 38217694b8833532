import { gatewayTitle } from "../index.js";
import type {
  CallBehalf,
  Failure,
  ServerRequestOptions,
  ServerState,
  Supervisor,
  ToolResult,
} from "../index.js";
import type { Fleet, FleetChange, FleetRequest, FleetServer, FleetTool } from "./contract/door.js";
import { codes, failed, isRecord } from "./contract/protocol.js";
import type { Answer } from "./contract/protocol.js";

/** The fleet of a supervisor as the gateway sees it. */
export function supervisorFleet(supervisor: Supervisor): Fleet {
  let tools: readonly FleetTool[] | undefined;
  let servers: readonly FleetServer[] | undefined;

  const title = gatewayTitle(supervisor);
  return {
    ...(title === undefined ? {} : { title }),
    tools: () => (tools ??= supervisor.definitions()),
    servers: () =>
      (servers ??= supervisor
        .servers()
        // The lives that consumers have to themselves stand behind the server that is offered.
        .filter(({ id }) => !id.includes("@"))
        .map(({ id, trusted, enabled, instructions, capabilities }) => ({
          id,
          trusted,
          enabled,
          ...(instructions === undefined ? {} : { instructions }),
          ...(capabilities === undefined ? {} : { capabilities }),
        }))),
    starting(server) {
      const status = supervisor.server(server)?.status();
      return status?.toolCount === 0 && starting.has(status.state);
    },
    async call(tool, args, request) {
      return answerOf(await supervisor.callTool(tool.name, args, optionsOf(request)));
    },
    async ask(server, method, params, request) {
      const found = await supervisor.server(server)?.request(method, params, optionsOf(request));
      if (found === undefined) return gone;
      return found.ok ? { result: found.value } : refusalOf(found.failure);
    },
    async list(server, kind) {
      const handle = supervisor.server(server);
      if (handle === undefined) return [];
      const found = await (kind === "resources"
        ? handle.listResources()
        : kind === "templates"
          ? handle.listResourceTemplates()
          : handle.listPrompts());
      return found.ok ? found.value : undefined;
    },
    async watch(server, uri, changed, consumer) {
      const found = await supervisor.server(server)?.subscribeResource(uri, changed, { consumer });
      if (found === undefined) return gone;
      return found.ok ? found.value : refusalOf(found.failure);
    },
    listen(told) {
      const subscription = supervisor.events$.subscribe((fact) => {
        const change =
          fact.type === "mcp.lists" ? toldOf(fact) : changeOf(fact.type, "id" in fact ? fact.id : "");
        if (change === undefined) return;
        tools = servers = undefined;
        told(change);
      });
      return () => subscription.unsubscribe();
    },
  };
}

const starting: ReadonlySet<ServerState> = new Set(["connecting", "initializing", "listing"]);

/** Names of facts after which what is known of servers or tools may be another. */
const changing = new Set(["mcp.tools", "mcp.retired", "mcp.config", "mcp.disconnected"]);

function changeOf(type: string, server: string): FleetChange | undefined {
  if (type === "mcp.connected") return { kind: "connected", server };
  return changing.has(type) ? { kind: "tools", server } : undefined;
}

function toldOf({ id, list }: { id: string; list: "tools" | "resources" | "prompts" }): FleetChange {
  return { kind: "told", server: id, list };
}

function optionsOf(request: FleetRequest): ServerRequestOptions {
  const { behalf, signal, onProgress, onLog, logLevel, ask, relay, tasks, capabilities, retry, meta } =
    request;
  const carried: CallBehalf = {
    ...behalf,
    ...(ask === undefined ? {} : { ask: (method, params, stop) => answering(ask(method, params, stop)) }),
    ...(relay === undefined ? {} : { relay }),
    ...(tasks === undefined ? {} : { tasks }),
    ...(capabilities === undefined ? {} : { capabilities }),
    ...(retry === undefined ? {} : { retry }),
    ...(meta === undefined ? {} : { meta }),
    ...(logLevel === undefined ? {} : { logLevel }),
    ...(onLog === undefined ? {} : { onLog }),
  };
  return { signal, behalf: carried, ...(onProgress === undefined ? {} : { onProgress }) };
}

/** An answer of a consumer as the supervisor takes it. */
function answering(asked: Promise<Answer> | undefined): ReturnType<NonNullable<CallBehalf["ask"]>> {
  return asked?.then((answer) => ("json" in answer ? { result: JSON.parse(answer.json) as object } : answer));
}

/** What the server said, whole; or in the words of the supervisor what became of the call. */
function answerOf(result: ToolResult): Answer {
  const { raw } = result;
  if (raw !== undefined && "error" in raw) return { error: raw.error };
  if (raw !== undefined && isRecord(raw.result)) return { result: raw.result };
  const text = result.ok ? result.text : `${result.text}${afterwards(result.failure)}`;
  return { result: { content: [{ type: "text", text }], ...(result.ok ? {} : { isError: true }) } };
}

function afterwards({ retryAfterMs }: Failure): string {
  return retryAfterMs === undefined ? "" : ` (a new try makes sense after ${Math.ceil(retryAfterMs)} ms)`;
}

function refusalOf({ kind, code, refusal, message, data }: Failure): ReturnType<typeof failed> {
  return kind === "protocol-error" && code !== undefined
    ? failed(code, refusal ?? message, data)
    : failed(codes.internal, message);
}

const gone = failed(codes.internal, "the server is no longer there");
