import type { Fleet, ListKind } from "../contract/door.js";
import type { Json } from "../contract/protocol.js";

/** Resources and prompts of one server, as last listed. */
export interface ServerLists {
  readonly resources: readonly Json[];
  readonly templates: readonly Json[];
  readonly prompts: readonly Json[];
}

const nothing: ServerLists = { resources: [], templates: [], prompts: [] };
const kinds: readonly ListKind[] = ["resources", "templates", "prompts"];

/** What the servers offer besides tools, kept here: a list is never a reason to wait for a server. */
export class GatewayLibrary {
  readonly #fleet: Fleet;
  readonly #kept = new Map<string, ServerLists>();
  readonly #walks = new Map<string, Promise<void>>();
  readonly #again = new Set<string>();
  readonly #changed: (server: string) => void;

  constructor(fleet: Fleet, changed: (server: string) => void) {
    this.#fleet = fleet;
    this.#changed = changed;
  }

  of(server: string): ServerLists {
    return this.#kept.get(server) ?? nothing;
  }

  /** Lists a server anew in the background; a wish that comes meanwhile is fulfilled after it. */
  refresh(server: string): void {
    if (this.#walks.has(server)) {
      this.#again.add(server);
      return;
    }
    const walk = this.#walkOnce(server);
    this.#walks.set(server, walk);
  }

  forget(server: string): void {
    if (this.#kept.delete(server)) this.#changed(server);
  }

  /** Resolves when the walks of now are over, or after `ms`. */
  async settled(ms: number): Promise<void> {
    if (this.#walks.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await Promise.race([Promise.all(this.#walks.values()), late]);
    clearTimeout(timer);
  }

  async #walkOnce(server: string): Promise<void> {
    try {
      await this.#walk(server);
    } catch {
      // What cannot be listed now stays as it was known.
    }
    this.#walks.delete(server);
    if (this.#again.delete(server)) this.refresh(server);
  }

  async #walk(server: string): Promise<void> {
    const before = this.of(server);
    const found = await Promise.all(kinds.map((kind) => this.#fleet.list(server, kind)));
    const [resources = before.resources, templates = before.templates, prompts = before.prompts] = found;
    this.#kept.set(server, { resources, templates, prompts });
    this.#changed(server);
  }
}
