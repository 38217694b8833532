import {
  answerText,
  codes,
  failed,
  isId,
  isRecord,
  meta,
  metaOf,
  notificationText,
  requestText,
} from "../contract/protocol.js";
import type { Json, RequestId } from "../contract/protocol.js";

interface Open {
  readonly method: string;
  readonly line: string;
  readonly modern: boolean;
}

/** Ids of requests of the front's own; their answers are not for the consumer. */
const own = "mcpvisor-front:";
const lists = ["tools", "resources", "prompts"];

/**
 * What a front remembers of the conversation that it carries, so that the consumer never notices that the service began
 * anew: what is open, what was agreed on, and what it listens to.
 */
export class FrontMemory {
  readonly #open = new Map<RequestId, Open>();
  readonly #subscribed = new Set<string>();
  readonly #unheard = new Set<RequestId>();
  #initialize: Json | undefined;
  #isAgreed = false;
  #logLevel: unknown;
  #count = 0;

  get open(): number {
    return this.#open.size;
  }

  /** A line of the consumer on its way to the service; true when `resumed` will say it, too. */
  sent(line: string): boolean {
    const message = parse(line);
    if (message === undefined) return false;
    const { id, method, params } = message;
    if (typeof method !== "string") return false;
    if (!isId(id)) {
      const cancelled = isRecord(params) ? params["requestId"] : undefined;
      if (method === "notifications/cancelled" && isId(cancelled)) this.#open.delete(cancelled);
      return false;
    }
    if (method === "initialize") this.#initialize = message;
    const uri = isRecord(params) ? params["uri"] : undefined;
    if (method === "resources/subscribe" && typeof uri === "string") this.#subscribed.add(uri);
    if (method === "resources/unsubscribe" && typeof uri === "string") this.#subscribed.delete(uri);
    if (method === "logging/setLevel" && isRecord(params)) this.#logLevel = params["level"];
    this.#open.set(id, { method, line, modern: meta.version in metaOf(params) });
    return method === "initialize" || method === "subscriptions/listen";
  }

  /** Whether a line of the service is for the consumer. */
  received(line: string): boolean {
    // Most lines are answers; a look at the text tells those that cannot be ours.
    const message = parse(line);
    if (message === undefined) return true;
    const { id, method } = message;
    if (typeof method === "string") {
      if (method !== "notifications/subscriptions/acknowledged") return true;
      const about = metaOf(message["params"])[meta.subscription];
      return !(isId(about) && this.#unheard.delete(about));
    }
    if (!isId(id)) return true;
    if (typeof id === "string" && id.startsWith(own)) return false;
    const open = this.#open.get(id);
    this.#open.delete(id);
    if (open?.method === "initialize" && "result" in message) this.#isAgreed = true;
    return true;
  }

  /** The service is gone: the answers that nobody will give any more. */
  lost(): string[] {
    const answers: string[] = [];
    for (const [id, { method, modern }] of this.#open) {
      if (method === "initialize" || method === "subscriptions/listen") continue;
      this.#open.delete(id);
      answers.push(
        answerText(
          id,
          method === "tools/call"
            ? { result: unknownOutcome(modern) }
            : failed(codes.internal, "the service began anew before it answered; ask again"),
        ),
      );
    }
    return answers;
  }

  /** A new service: what it is told first, and what the consumer is told, which may have missed changes. */
  resumed(): { readonly toService: string[]; readonly toConsumer: string[] } {
    const toService: string[] = [];
    const toConsumer: string[] = [];
    if (this.#initialize !== undefined) {
      const id = this.#isAgreed ? `${own}${++this.#count}` : (this.#initialize["id"] as RequestId);
      toService.push(requestText(id, "initialize", this.#initialize["params"]));
      if (this.#isAgreed) {
        toService.push(notificationText("notifications/initialized"));
        if (this.#logLevel !== undefined)
          toService.push(
            requestText(`${own}${++this.#count}`, "logging/setLevel", { level: this.#logLevel }),
          );
        for (const uri of this.#subscribed)
          toService.push(requestText(`${own}${++this.#count}`, "resources/subscribe", { uri }));
        for (const list of lists) toConsumer.push(notificationText(`notifications/${list}/list_changed`));
      }
    }
    for (const [id, { method, line }] of this.#open) {
      if (method !== "subscriptions/listen") continue;
      this.#unheard.add(id);
      toService.push(line);
      const wanted = parse(line)?.["params"];
      const filter = isRecord(wanted) && isRecord(wanted["notifications"]) ? wanted["notifications"] : {};
      for (const list of lists)
        if (filter[`${list}ListChanged`] === true)
          toConsumer.push(
            notificationText(`notifications/${list}/list_changed`, { _meta: { [meta.subscription]: id } }),
          );
    }
    return { toService, toConsumer };
  }
}

function unknownOutcome(modern: boolean): Json {
  const text =
    "The service that carried this call began anew before the answer came: whether the tool ran is unknown. " +
    "Look before you call it again.";
  return { ...(modern ? { resultType: "complete" } : {}), content: [{ type: "text", text }], isError: true };
}

function parse(line: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    // The service says what is wrong with it.
    return undefined;
  }
}
