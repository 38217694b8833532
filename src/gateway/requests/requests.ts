import { answers } from "../view/capabilities.js";
import type { AskConsumer, Fleet, FleetRequest } from "../contract/door.js";
import type { Exchange, Peer } from "../consumers/peer.js";
import { codes, failed, isRecord } from "../contract/protocol.js";
import type { Answer, Json } from "../contract/protocol.js";
import { mapResult, requestOf } from "./carried.js";
import type { Rounds } from "./rounds.js";
import type { Tasks } from "./tasks.js";
import type { View } from "../view/view.js";

/** Carries requests of consumers to servers and their answers back: only ids, tokens and URIs change on the way. */
export interface Requests {
  callTool(peer: Peer, params: Json, exchange: Exchange, view: View): Promise<Answer>;
  readResource(peer: Peer, params: Json, exchange: Exchange, view: View): Promise<Answer>;
  getPrompt(peer: Peer, params: Json, exchange: Exchange, view: View): Promise<Answer>;
  complete(peer: Peer, params: Json, exchange: Exchange, view: View): Promise<Answer>;
}

export function createRequests(fleet: Fleet, rounds: Rounds, tasks: Tasks): Requests {
  /** One request with everything that goes beside it. */
  function carry(
    peer: Peer,
    server: string,
    method: string,
    params: Json,
    exchange: Exchange,
    send: (request: FleetRequest) => Promise<Answer>,
  ): Promise<Answer> {
    if (peer.modern)
      return rounds.serve(peer, server, method, params, exchange, (run) =>
        send(requestOf(peer, params, run)),
      );
    return send(
      requestOf(peer, params, {
        signal: exchange.signal,
        ask: legacyAsk(peer, exchange),
        notify: exchange.notify.bind(exchange),
        retry: undefined,
      }),
    );
  }

  return {
    async callTool(peer, params, exchange, view) {
      const { name, arguments: args = {} } = params;
      const tool = typeof name === "string" ? view.tools.get(name) : undefined;
      if (tool === undefined) return failed(codes.invalidParams, `Unknown tool: ${shown(name)}`);
      if (!isRecord(args)) return failed(codes.invalidParams, "arguments must be an object");
      const answer = await carry(peer, tool.server, "tools/call", params, exchange, (request) =>
        fleet.call(tool, args, request),
      );
      return mapResult(answer, peer, (result) =>
        result["resultType"] === "task"
          ? tasks.handed(peer, tool.server, result)
          : view.uris.result(tool.server, result),
      );
    },

    async readResource(peer, params, exchange, view) {
      const { uri } = params;
      const target = typeof uri === "string" ? view.uris.find(uri) : undefined;
      if (target === undefined || typeof uri !== "string") return noResource(peer, uri);
      const answer = await carry(peer, target.server, "resources/read", params, exchange, (request) =>
        fleet.ask(target.server, "resources/read", { uri: target.uri }, request),
      );
      if ("error" in answer && isNoResource(answer.error.code)) return noResource(peer, uri);
      return mapResult(answer, peer, (result) => {
        const { contents } = result;
        if (!Array.isArray(contents)) return result;
        const mapped = contents.map((each: unknown) =>
          isRecord(each) && typeof each["uri"] === "string"
            ? { ...each, uri: each["uri"] === target.uri ? uri : view.uris.shown(target.server, each["uri"]) }
            : each,
        );
        // Hints of the gateway's own: never fresher for the consumer than its server says.
        const { ttlMs } = result;
        const hints = peer.modern
          ? { ttlMs: typeof ttlMs === "number" && ttlMs > 0 ? ttlMs : 0, cacheScope: "private" }
          : {};
        return { ...result, contents: mapped, ...(result["resultType"] === "input_required" ? {} : hints) };
      });
    },

    async getPrompt(peer, params, exchange, view) {
      const { name } = params;
      const target = typeof name === "string" ? view.prompts.get(name) : undefined;
      if (target === undefined) return failed(codes.invalidParams, `Unknown prompt: ${shown(name)}`);
      const own = {
        name: target.prompt,
        ...("arguments" in params ? { arguments: params["arguments"] } : {}),
      };
      const answer = await carry(peer, target.server, "prompts/get", params, exchange, (request) =>
        fleet.ask(target.server, "prompts/get", own, request),
      );
      return mapResult(answer, peer, (result) => {
        const { messages } = result;
        if (!Array.isArray(messages)) return result;
        const mapped = messages.map((each: unknown) => {
          if (!isRecord(each)) return each;
          const [content] = view.uris.blocks(target.server, [each["content"]]) as unknown[];
          return content === each["content"] ? each : { ...each, content };
        });
        return { ...result, messages: mapped };
      });
    },

    async complete(peer, params, exchange, view) {
      const { ref } = params;
      const type = isRecord(ref) ? ref["type"] : undefined;
      if (!isRecord(ref) || (type !== "ref/prompt" && type !== "ref/resource"))
        return failed(codes.invalidParams, "ref must be of type ref/prompt or ref/resource");
      const prompt = type === "ref/prompt" ? view.prompts.get(String(ref["name"])) : undefined;
      const template = type === "ref/resource" ? view.uris.findTemplate(String(ref["uri"])) : undefined;
      const server = prompt?.server ?? template?.server;
      if (server === undefined)
        return failed(codes.invalidParams, `Unknown reference: ${shown(ref["name"] ?? ref["uri"])}`);
      const { _meta, ...rest } = params;
      void _meta;
      const own = prompt === undefined ? { ...ref, uri: template?.uri } : { ...ref, name: prompt.prompt };
      const answer = await carry(peer, server, "completion/complete", params, exchange, (request) =>
        fleet.ask(server, "completion/complete", { ...rest, ref: own }, { ...request, relay: false }),
      );
      return mapResult(answer, peer, (result) => result);
    },
  };
}

function legacyAsk(peer: Peer, exchange: Exchange): AskConsumer {
  return (method, params, signal) =>
    answers(peer.capabilities, method, params) ? exchange.ask?.(method, params, signal) : undefined;
}

function isNoResource(code: number): boolean {
  return code === codes.resourceNotFound;
}

function noResource(peer: Peer, uri: unknown): Answer {
  const code = peer.modern ? codes.invalidParams : codes.resourceNotFound;
  return failed(code, `Resource not found: ${shown(uri)}`, { uri });
}

function shown(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 200) : typeof value;
}
