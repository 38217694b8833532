import type { RequestId } from "./jsonrpc.js";

/** What the client says about itself in initialize (MCP 2025-11-25, Lifecycle) or in every `_meta` (2026-07-28). */
export interface ClientIdentity {
  readonly info: { readonly name: string; readonly version: string; readonly title?: string };
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Of the requests that the host makes itself, where those differ: consumers of a gateway answer for theirs alone. */
  readonly own?: Readonly<Record<string, unknown>>;
}

/** What one call says differently from the host's own. */
export interface CallVoice {
  /** In place of the host's capabilities (2026-07-28). */
  readonly capabilitiesJson: string;
  /** Whether it carries a progress token. */
  readonly progress: boolean;
}

/** One wire revision behind a neutral model: how requests are written, and what the revision has. */
export interface Codec {
  readonly revision: string;
  /** 2026-07-28 and later: no handshake, every request self-describing. */
  readonly modern: boolean;
  /** A whole request line; the progress token equals the id when `progress` is asked for. */
  request(id: RequestId, method: string, params: object | undefined, progress: boolean): string;
  /** The request of the hot path: `nameJson` and `argumentsJson` are encoded already, `extraJson` is `"key":value,…,` or empty. */
  /** `metaJson` goes into `_meta`, in the same form as `extraJson`. */
  call(
    id: number,
    nameJson: string,
    argumentsJson: string,
    extraJson: string,
    metaJson: string,
    voice?: CallVoice,
  ): string;
  notification(method: string, params: object | undefined): string;
}

/** Answers of ours to requests of a server; only legacy revisions have them. */
export function answerText(
  id: RequestId,
  body: { result: unknown } | { error: { code: number; message: string } },
): string {
  return JSON.stringify({ jsonrpc: "2.0", id, ...body });
}

/** The codec of 2024-11-05 to 2025-11-25: one shape on the wire, with `_meta` only for the progress token. */
export function legacyCodec(revision: string): Codec {
  return {
    revision,
    modern: false,
    request(id, method, params, progress) {
      const filled = progress ? { ...params, _meta: { ...metaOf(params), progressToken: id } } : params;
      return JSON.stringify({
        jsonrpc: "2.0",
        id,
        method,
        ...(filled === undefined ? {} : { params: filled }),
      });
    },
    call(id, nameJson, argumentsJson, extraJson, metaJson, voice) {
      if (voice?.progress === false) {
        const meta = metaJson === "" ? "" : `"_meta":{${metaJson.slice(0, -1)}},`;
        return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{${extraJson}${meta}"name":${nameJson},"arguments":${argumentsJson}}}`;
      }
      return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{${extraJson}"_meta":{${metaJson}"progressToken":${id}},"name":${nameJson},"arguments":${argumentsJson}}}`;
    },
    notification: plainNotification,
  };
}

/** A notification as every revision writes it. */
export function plainNotification(method: string, params: object | undefined): string {
  return JSON.stringify({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) });
}

/** The `_meta` that params carry already, or none. */
export function metaOf(params: object | undefined): object {
  const meta: unknown = params === undefined ? undefined : Reflect.get(params, "_meta");
  return typeof meta === "object" && meta !== null ? meta : {};
}
