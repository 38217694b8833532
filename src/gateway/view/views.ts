import type { Consumer } from "../consumers/consumer.js";
import type { Fleet, FleetChange } from "../contract/door.js";
import type { GatewayLibrary } from "./library.js";
import { buildView } from "./view.js";
import type { ListName, View } from "./view.js";

/** Lists whose change is told by a notification of their own. */
export type ToldList = "tools" | "resources" | "prompts";

interface Watcher {
  readonly consumer: Consumer;
  readonly only: string | undefined;
  readonly changed: (lists: ReadonlySet<ToldList>) => void;
  known: Readonly<Record<ListName, string>>;
}

/** A burst of changes is told once per consumer and so many ms. */
const settleMs = 100;

/** The views of all consumers as they are now, and who is told when one reads otherwise. */
export class Views {
  readonly #fleet: Fleet;
  readonly #library: GatewayLibrary;
  readonly #views = new Map<string, { readonly consumer: Consumer; readonly view: View }>();
  readonly #watchers = new Set<Watcher>();
  /** What servers told without their list being another: passed on where one server is shown untouched. */
  readonly #told = new Map<string, Set<ToldList>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(fleet: Fleet, library: GatewayLibrary) {
    this.#fleet = fleet;
    this.#library = library;
  }

  of(consumer: Consumer, only?: string): View {
    const key = `${consumer.name}\0${only ?? ""}`;
    const known = this.#views.get(key);
    if (known?.consumer === consumer) return known.view;
    const view = buildView(consumer, this.#fleet, this.#library, only);
    this.#views.set(key, { consumer, view });
    return view;
  }

  /** Calls back after changes of what this consumer sees, until the function it returns is called. */
  watch(consumer: Consumer, only: string | undefined, changed: Watcher["changed"]): () => void {
    const watcher: Watcher = { consumer, only, changed, known: this.#marks(consumer, only) };
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  get watchers(): number {
    return this.#watchers.size;
  }

  /** Something of the fleet is not as it was. */
  changed(change?: FleetChange): void {
    this.#views.clear();
    if (change?.kind === "told") {
      const lists = this.#told.get(change.server) ?? new Set();
      this.#told.set(change.server, lists.add(change.list));
    }
    this.#timer ??= setTimeout(() => this.#tell(), settleMs).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#watchers.clear();
  }

  #tell(): void {
    this.#timer = undefined;
    const told = new Map(this.#told);
    this.#told.clear();
    for (const watcher of this.#watchers) {
      const { consumer, only } = watcher;
      const now = this.#marks(consumer, only);
      const lists = new Set<ToldList>(only === undefined ? [] : told.get(only));
      for (const name of Object.keys(now) as ListName[])
        if (now[name] !== watcher.known[name]) lists.add(name === "templates" ? "resources" : name);
      watcher.known = now;
      if (lists.size > 0) watcher.changed(lists);
    }
  }

  #marks(consumer: Consumer, only: string | undefined): Watcher["known"] {
    const { tools, resources, templates, prompts } = this.of(consumer, only).lists;
    return {
      tools: tools.revision,
      resources: resources.revision,
      templates: templates.revision,
      prompts: prompts.revision,
    };
  }
}
