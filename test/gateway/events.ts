import type { Json } from "./rig.js";

/** The messages of a stream of events, as they come. */
export class Events {
  readonly messages: Json[] = [];
  readonly response: Response;
  /** Resolves when the stream has ended, however. */
  readonly over: Promise<void>;
  isOver = false;
  readonly #waiting = new Set<() => void>();
  readonly #controller: AbortController;

  constructor(response: Response, controller: AbortController) {
    this.response = response;
    this.#controller = controller;
    this.over = this.#read()
      .catch(() => undefined)
      .finally(() => {
        this.isOver = true;
        this.#wake();
      });
  }

  /** The first message, past ones too, for which this holds; rejects when the stream ends without one. */
  async next(which: (message: Json) => boolean): Promise<Json> {
    const end = Date.now() + 20_000;
    for (;;) {
      const found = this.messages.find(which);
      if (found !== undefined) return found;
      if (this.isOver) throw new Error(`the stream ended with ${JSON.stringify(this.messages)}`);
      if (Date.now() > end) throw new Error(`not within 20 s; there is ${JSON.stringify(this.messages)}`);
      await new Promise<void>((wake) => {
        const timer = setTimeout(wake, 1000);
        this.#waiting.add(() => (clearTimeout(timer), wake()));
      });
    }
  }

  answer(): Promise<Json> {
    return this.next((each) => !("method" in each));
  }

  told(method: string): Json[] {
    return this.messages.filter((each) => each["method"] === method);
  }

  /** Cuts the connection. */
  cut(): void {
    this.#controller.abort();
  }

  async #read(): Promise<void> {
    if (!String(this.response.headers.get("content-type")).includes("event-stream")) {
      const text = await this.response.text();
      if (text !== "") this.messages.push(JSON.parse(text) as Json);
      return;
    }
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of this.response.body ?? []) {
      const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines)
        if (line.startsWith("data: ")) this.messages.push(JSON.parse(line.slice(6)) as Json);
      this.#wake();
    }
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

/** Opens a request whose answer is read while it comes. */
export async function events(send: (signal: AbortSignal) => Promise<Response>): Promise<Events> {
  const controller = new AbortController();
  return new Events(await send(controller.signal), controller);
}
