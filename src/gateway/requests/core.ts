import { capabilitiesOf } from "../view/capabilities.js";
import type { Fleet } from "../contract/door.js";
import { instructionsOf } from "../view/instructions.js";
import { cacheHints, listPage } from "../view/lists.js";
import type { Exchange, LegacyPeer, Peer } from "../consumers/peer.js";
import { codes, failed, isRecord, meta, modernRevision } from "../contract/protocol.js";
import type { Answer, Json } from "../contract/protocol.js";
import type { Requests } from "./requests.js";
import { mayCome, viewWith } from "./early.js";
import { isSearchTool, searchAdvice } from "../view/searchTools.js";
import { createSearching } from "./searching.js";
import type { Seal } from "../consumers/seal.js";
import { subscribe, unsubscribe } from "./subscriptions.js";
import type { Tasks } from "./tasks.js";
import type { Views } from "../view/views.js";

export interface CoreParts {
  readonly fleet: Fleet;
  readonly views: Views;
  readonly requests: Requests;
  readonly tasks: Tasks;
  readonly seal: Seal;
  readonly version: string;
  /** Aborts when the gateway stops: subscriptions end with a result. */
  readonly stopping: AbortSignal;
  /** Items of a page of a list. */
  readonly pageSize?: number;
}

/** Answers the methods of MCP for one peer; sessions, streams and listening are the wires'. */
export interface Core {
  /** Undefined: there is no such method in the peer's era. */
  serve(
    peer: Peer | LegacyPeer,
    method: string,
    params: Json,
    exchange: Exchange,
  ): Promise<Answer> | Answer | undefined;
  /** The result of initialize. */
  welcome(peer: Peer): Json;
  readonly views: Views;
  readonly fleet: Fleet;
  readonly stopping: AbortSignal;
}

const serverName = "mcpvisor";

export function createCore(parts: CoreParts): Core {
  const { fleet, views, requests, tasks, seal, version, stopping, pageSize } = parts;
  const serverInfo = { name: serverName, version };
  const bySearch = createSearching(requests);

  function about(peer: Peer): Json {
    const { servers, searching } = views.of(peer.consumer, peer.only);
    const instructions = instructionsOf(servers, searching ? searchAdvice : undefined);
    return {
      capabilities: capabilitiesOf(servers, peer.modern),
      ...(instructions === undefined ? {} : { instructions }),
    };
  }

  function serve(
    peer: Peer,
    method: string,
    params: Json,
    exchange: Exchange,
  ): Promise<Answer> | Answer | undefined {
    const view = views.of(peer.consumer, peer.only);
    const family = method.slice(0, method.indexOf("/"));
    // What was not declared does not exist; older clients ask all the same, and get an empty list.
    if (peer.modern && undeclarable.has(family) && !(family in capabilitiesOf(view.servers, true)))
      return undefined;
    switch (method) {
      case "tools/call":
        if (view.searching && isSearchTool(params["name"]))
          return bySearch.call(params["name"], peer, params, exchange, view);
        return mayCome(params["name"], view, peer.only, fleet)
          ? viewWith(params["name"], peer, fleet, views, exchange.signal).then((later) =>
              requests.callTool(peer, params, exchange, later),
            )
          : requests.callTool(peer, params, exchange, view);
      case "tools/list":
        return listPage(peer, "tools", view.lists.tools, params["cursor"], seal, pageSize);
      case "resources/list":
        return listPage(peer, "resources", view.lists.resources, params["cursor"], seal, pageSize);
      case "resources/templates/list":
        return listPage(peer, "templates", view.lists.templates, params["cursor"], seal, pageSize);
      case "prompts/list":
        return listPage(peer, "prompts", view.lists.prompts, params["cursor"], seal, pageSize);
      case "resources/read":
        return requests.readResource(peer, params, exchange, view);
      case "prompts/get":
        return requests.getPrompt(peer, params, exchange, view);
      case "completion/complete":
        return requests.complete(peer, params, exchange, view);
      case "tasks/get":
      case "tasks/update":
      case "tasks/cancel":
        return peer.modern ? tasks.serve(peer, method, params, exchange, view) : undefined;
      case "server/discover":
        if (!peer.modern) return undefined;
        return { json: discovered(about(peer)) };
      default:
        return isLegacy(peer) ? legacy(peer, method, params) : undefined;
    }
  }

  function discovered(found: Json): string {
    const { capabilities, ...rest } = found;
    const result = {
      resultType: "complete",
      supportedVersions: [modernRevision],
      capabilities,
      ...rest,
      _meta: { [meta.server]: serverInfo },
    };
    return `${JSON.stringify(result).slice(0, -1)},${cacheHints}}`;
  }

  function legacy(peer: LegacyPeer, method: string, params: Json): Promise<Answer> | Answer | undefined {
    const view = views.of(peer.consumer, peer.only);
    switch (method) {
      case "ping":
        return { json: "{}" };
      case "logging/setLevel": {
        const { level } = params;
        if (typeof level !== "string" || !levels.has(level))
          return failed(codes.invalidParams, `level must be one of ${[...levels].join(", ")}`);
        peer.setLogLevel(level);
        return { json: "{}" };
      }
      case "resources/subscribe":
        return subscribe(fleet, view, params["uri"], peer.subscriptions, peer.consumer.name, (uri) =>
          peer.tell("notifications/resources/updated", { uri }),
        );
      case "resources/unsubscribe":
        return unsubscribe(params["uri"], peer.subscriptions);
      default:
        return undefined;
    }
  }

  return {
    serve,
    views,
    fleet,
    stopping,
    welcome: (peer) => {
      const { capabilities, instructions } = about(peer);
      return {
        protocolVersion: peer.revision,
        capabilities,
        serverInfo,
        ...(instructions === undefined ? {} : { instructions }),
      };
    },
  };
}

const undeclarable = new Set(["resources", "prompts"]);
const levels = new Set(["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]);

function isLegacy(peer: Peer): peer is LegacyPeer {
  return !peer.modern && isRecord(peer) && peer["subscriptions"] instanceof Map;
}
