import type { Supervisor, ToolDescriptor, ToolResult } from "../index.js";
import type { Fleet, FleetChange, FleetRequest, FleetServer, FleetTool } from "./contract/door.js";
import { codes, failed } from "./contract/protocol.js";
import type { Answer, Json } from "./contract/protocol.js";

/** The fleet of a supervisor as the gateway sees it. */
export function supervisorFleet(supervisor: Supervisor): Fleet {
  let tools: readonly FleetTool[] | undefined;
  let servers: readonly FleetServer[] | undefined;
  const known = new Map<string, { readonly from: ToolDescriptor; readonly tool: FleetTool }>();

  function toolOf(from: ToolDescriptor): FleetTool {
    const before = known.get(from.name);
    if (before !== undefined && isSame(before.from, from)) return before.tool;
    const tool = { name: from.name, server: from.server, tool: from.tool, definition: definitionOf(from) };
    known.set(from.name, { from, tool });
    return tool;
  }

  return {
    tools: () => (tools ??= supervisor.tools().map(toolOf)),
    servers: () =>
      (servers ??= supervisor.servers().map(({ id, trusted, enabled, instructions }) => ({
        id,
        trusted,
        enabled,
        ...(instructions === undefined ? {} : { instructions }),
      }))),
    async call(tool, args, request) {
      return answerOf(await supervisor.callTool(tool.name, args, callOptions(request)));
    },
    async ask(server, method) {
      return failed(codes.unknownMethod, `${server} does not know ${method}`);
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
    async watch(server, uri, changed) {
      const found = await supervisor.server(server)?.subscribeResource(uri, changed);
      if (found?.ok === true) return found.value;
      return {
        error: { code: codes.unknownMethod, message: found?.failure.message ?? "there is no such server" },
      };
    },
    listen(told) {
      const subscription = supervisor.events$.subscribe((fact) => {
        const change = changeOf(fact.type, "id" in fact ? fact.id : "");
        if (change === undefined) return;
        tools = servers = undefined;
        told(change);
      });
      return () => subscription.unsubscribe();
    },
  };
}

function changeOf(type: string, server: string): FleetChange | undefined {
  if (type === "mcp.connected") return { kind: "connected", server };
  return type === "mcp.tools" ||
    type === "mcp.retired" ||
    type === "mcp.config" ||
    type === "mcp.disconnected"
    ? { kind: "tools", server }
    : undefined;
}

function callOptions({ signal, onProgress, behalf }: FleetRequest) {
  return { signal, caller: behalf.consumer, ...(onProgress === undefined ? {} : { onProgress }) };
}

function answerOf(result: ToolResult): Answer {
  if (!result.ok && result.failure.kind === "protocol-error" && result.failure.code !== undefined)
    return failed(result.failure.code, result.failure.message, result.failure.data);
  const content =
    result.ok || result.content.length > 0 ? result.content : [{ type: "text", text: result.text }];
  return {
    result: {
      content,
      ...("structured" in result ? { structuredContent: result.structured } : {}),
      ...(result.ok ? {} : { isError: true }),
    },
  };
}

function definitionOf({
  tool,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
  server,
}: ToolDescriptor): Json {
  void server;
  return {
    name: tool,
    ...(title === tool ? {} : { title }),
    description: description.replace(/^\[MCP [^\]]*\] /, ""),
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    annotations,
  };
}

function isSame(a: ToolDescriptor, b: ToolDescriptor): boolean {
  return (
    a.description === b.description &&
    a.title === b.title &&
    a.inputSchema === b.inputSchema &&
    a.outputSchema === b.outputSchema &&
    a.annotations === b.annotations
  );
}
