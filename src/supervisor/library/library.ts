import type { Life } from "../../actors/life.js";
import { ConnectError } from "../../errors.js";
import { isRecord } from "../../protocol/serverInfo.js";
import { ask, failure, liveOf } from "./asking.js";
import type { ServerRequestOptions } from "../contract/calls.js";
import type { SharedState } from "../state/sharedState.js";
import type {
  Completion,
  Outcome,
  PromptText,
  ResourceContents,
  ServerLibrary,
} from "../contract/library.js";
import { ResourceWatch } from "./resourceWatch.js";
import { ListCache } from "./listCache.js";
import type { ListKind } from "./listCache.js";
import type { Library, ServerRecord } from "../state/serverRecord.js";

const has =
  (...names: string[]) =>
  (item: unknown): boolean =>
    isRecord(item) && names.every((name) => typeof item[name] === "string");

const lists = {
  resources: {
    method: "resources/list",
    field: "resources",
    capability: "resources",
    isItem: has("uri", "name"),
  },
  templates: {
    method: "resources/templates/list",
    field: "resourceTemplates",
    capability: "resources",
    isItem: has("uriTemplate", "name"),
  },
  prompts: { method: "prompts/list", field: "prompts", capability: "prompts", isItem: has("name") },
} as const satisfies Record<string, ListKind>;

/** Asks the life that serves, and keeps what outlives it. */
export class LibraryOfServer implements Library {
  readonly #record: ServerRecord;
  readonly #shared: SharedState;
  /** A session's lists go with it. */
  readonly #caches = new WeakMap<Life, ListCache>();
  readonly #watch: ResourceWatch;

  constructor(record: ServerRecord, shared: SharedState) {
    this.#record = record;
    this.#shared = shared;
    this.#watch = new ResourceWatch(record, shared);
  }

  // The items were looked at one by one; what else is in them is passed on as sent.
  listResources = () => this.#list<never>(lists.resources);
  listResourceTemplates = () => this.#list<never>(lists.templates);
  listPrompts = () => this.#list<never>(lists.prompts);

  readResource(uri: string): Promise<Outcome<readonly ResourceContents[]>> {
    return this.#ask("resources", "resources/read", { uri }, ({ contents }) =>
      Array.isArray(contents) ? (contents.filter(has("uri")) as ResourceContents[]) : undefined,
    );
  }

  getPrompt(name: string, args: Readonly<Record<string, string>> = {}): Promise<Outcome<PromptText>> {
    return this.#ask("prompts", "prompts/get", { name, arguments: args }, ({ messages, description }) =>
      Array.isArray(messages)
        ? {
            messages: messages.filter(
              (each) => isRecord(each) && isRecord(each["content"]),
            ) as PromptText["messages"],
            ...(typeof description === "string" ? { description } : {}),
          }
        : undefined,
    );
  }

  complete(...[ref, argument, known]: Parameters<ServerLibrary["complete"]>): Promise<Outcome<Completion>> {
    const context = known === undefined ? {} : { context: { arguments: known } };
    return this.#ask(
      "completions",
      "completion/complete",
      { ref, argument, ...context },
      ({ completion }) => {
        if (!isRecord(completion) || !Array.isArray(completion["values"])) return undefined;
        const { total, hasMore } = completion;
        return {
          values: completion["values"].filter((each) => typeof each === "string").slice(0, 100),
          ...(typeof total === "number" ? { total } : {}),
          ...(typeof hasMore === "boolean" ? { hasMore } : {}),
        };
      },
    );
  }

  async subscribeResource(uri: string, listener: (uri: string) => void): Promise<Outcome<() => void>> {
    const live = await liveOf(this.#record, this.#shared);
    if (!live.ok) return live;
    const watched = await this.#watch.add(uri, listener, live.value);
    return watched.ok ? { ok: true, value: watched.value, warnings: [] } : watched;
  }

  async request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    options: ServerRequestOptions,
  ): Promise<Outcome<Readonly<Record<string, unknown>>>> {
    const live = await liveOf(this.#record, this.#shared);
    if (!live.ok) return live;
    const answer = await ask(this.#record, live.value, this.#shared, method, params, options);
    return answer.ok ? { ...answer, warnings: [] } : answer;
  }

  notified(method: string, params: unknown): void {
    const { live } = this.#record;
    const cache = live === undefined ? undefined : this.#caches.get(live);
    if (method === "notifications/resources/list_changed") cache?.changed("resources");
    else if (method === "notifications/prompts/list_changed") cache?.changed("prompts");
    else if (method === "notifications/resources/updated" && isRecord(params))
      this.#watch.updated(params["uri"]);
  }

  async #list<T>(kind: ListKind): Promise<Outcome<readonly T[]>> {
    const live = await liveOf(this.#record, this.#shared);
    if (!live.ok) return live;
    const cache = this.#caches.get(live.value) ?? new ListCache();
    this.#caches.set(live.value, cache);
    try {
      const { items, warnings } = await cache.list(kind, live.value, this.#record, this.#shared);
      return { ok: true, value: items as readonly T[], warnings };
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      return failure(this.#record, kind.method, { kind: "lost", sent: "unknown", cause: error.info });
    }
  }

  async #ask<T>(
    capability: string,
    method: string,
    params: object,
    read: (result: Readonly<Record<string, unknown>>) => T | undefined,
  ): Promise<Outcome<T>> {
    const live = await liveOf(this.#record, this.#shared);
    if (!live.ok) return live;
    if (!isRecord(live.value.session?.capabilities[capability])) {
      const message = `the server has no ${capability}`;
      return failure(this.#record, method, { kind: "error", error: { code: -32_601, message } });
    }
    const answer = await ask(this.#record, live.value, this.#shared, method, params);
    if (!answer.ok) return answer;
    const value = read(answer.value);
    return value === undefined
      ? failure(this.#record, method, { kind: "internal", message: "its answer lacks what was asked for" })
      : { ok: true, value, warnings: [] };
  }
}
