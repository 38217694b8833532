import { isRecord } from "../contract/protocol.js";
import type { Json } from "../contract/protocol.js";

/** Resources of one server, in the order of precedence of the view. */
export interface ServerResources {
  readonly server: string;
  readonly resources: readonly Json[];
  readonly templates: readonly Json[];
}

/** Where a URI of a consumer leads. */
export interface UriTarget {
  readonly server: string;
  /** As its server knows it. */
  readonly uri: string;
}

/** Links that results named, remembered so that they can be read: at most so many. */
const mostSeen = 1000;

/**
 * The URIs of one view. A URI stays as it is where only one server has it; of several the first keeps it, and the others'
 * become `server+uri`.
 */
export class Uris {
  readonly resources: readonly Json[];
  readonly templates: readonly Json[];
  readonly #servers: ReadonlySet<string>;
  readonly #owners = new Map<string, string>();
  readonly #patterns: { readonly server: string; readonly fits: (uri: string) => boolean }[] = [];
  readonly #seen = new Map<string, string>();

  constructor(parts: readonly ServerResources[]) {
    this.#servers = new Set(parts.map((each) => each.server));
    const templates = new Set<string>();
    this.resources = parts.flatMap(({ server, resources }) =>
      resources.map((item) => {
        const uri = String(item["uri"]);
        if (!this.#owners.has(uri)) this.#owners.set(uri, server);
        const shown = this.shown(server, uri);
        return shown === uri ? item : { ...item, uri: shown };
      }),
    );
    this.templates = parts.flatMap(({ server, templates: own }) =>
      own.map((item) => {
        const text = String(item["uriTemplate"]);
        this.#patterns.push({ server, fits: patternOf(text) });
        const isFirst = !templates.has(text);
        templates.add(text);
        return isFirst ? item : { ...item, uriTemplate: `${server}+${text}` };
      }),
    );
  }

  /** A URI of this server as the consumer sees it. */
  shown(server: string, uri: string): string {
    const owner = this.#owners.get(uri) ?? this.#seen.get(uri);
    return owner === undefined || owner === server ? uri : `${server}+${uri}`;
  }

  /** The server and URI behind one that a consumer sent; undefined when no visible server has it. */
  find(uri: string): UriTarget | undefined {
    const owner = this.#owners.get(uri);
    if (owner !== undefined) return { server: owner, uri };
    const plus = uri.indexOf("+");
    const named = plus > 0 ? uri.slice(0, plus) : "";
    if (this.#servers.has(named)) return { server: named, uri: uri.slice(plus + 1) };
    const server = this.#patterns.find((each) => each.fits(uri))?.server ?? this.#seen.get(uri);
    if (server !== undefined) return { server, uri };
    const [only, other] = this.#servers;
    return only !== undefined && other === undefined ? { server: only, uri } : undefined;
  }

  /** The prompt or template behind the reference of a completion, with the template as its server knows it. */
  findTemplate(template: string): UriTarget | undefined {
    const plus = template.indexOf("+");
    const named = plus > 0 ? template.slice(0, plus) : "";
    if (this.#servers.has(named)) return { server: named, uri: template.slice(plus + 1) };
    return this.find(template);
  }

  /** The result of a call with URIs as the consumer sees them. */
  result(server: string, result: Json): Json {
    const content = this.blocks(server, result["content"]);
    return content === result["content"] ? result : { ...result, content };
  }

  /** The blocks of a result with URIs as the consumer sees them; links are remembered for a later read. */
  blocks(server: string, content: unknown): unknown {
    if (!Array.isArray(content) || !content.some(namesUri)) return content;
    return content.map((block: Json) => {
      if (block["type"] === "resource_link") {
        const uri = String(block["uri"]);
        this.#remember(uri, server);
        return { ...block, uri: this.shown(server, uri) };
      }
      const resource = block["resource"];
      return isRecord(resource) && typeof resource["uri"] === "string"
        ? { ...block, resource: { ...resource, uri: this.shown(server, resource["uri"]) } }
        : block;
    });
  }

  #remember(uri: string, server: string): void {
    if (this.#owners.has(uri) || this.#seen.has(uri)) return;
    if (this.#seen.size >= mostSeen) this.#seen.delete(this.#seen.keys().next().value ?? "");
    this.#seen.set(uri, server);
  }
}

function namesUri(block: unknown): boolean {
  return isRecord(block) && (block["type"] === "resource_link" || block["type"] === "resource");
}

/** A test for URIs of an RFC 6570 template: its literal parts in order. */
function patternOf(template: string): (uri: string) => boolean {
  const parts = template.split(/\{[^{}]*\}/);
  const first = parts[0] ?? "";
  const last = parts.length > 1 ? (parts[parts.length - 1] ?? "") : undefined;
  return (uri) => {
    if (!uri.startsWith(first) || (last === undefined ? uri !== first : !uri.endsWith(last))) return false;
    let at = first.length;
    for (const part of parts.slice(1, -1)) {
      const found = uri.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= uri.length - (last?.length ?? 0);
  };
}
