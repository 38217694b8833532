import type { Session } from "../protocol/mcp.js";
import type { PendingRequest } from "../rpc/pending.js";
import type { Listing } from "../rpc/listing.js";
import { askForLogs } from "./askForLogs.js";
import { Changes } from "./changes.js";
import type { Life } from "./life.js";
import type { LifePorts } from "./lifePorts.js";
import { walkTools } from "./walkTools.js";

/** The session of one life: what was agreed, how changes are heard of, and how tools are listed. */
export class LifeSession {
  agreed: Session | undefined;
  changes: Changes | undefined;
  readonly #life: Life;
  readonly #ports: LifePorts;
  /** From here on a walk that fails half-way is worth less than the list there is. */
  hasList = false;

  constructor(life: Life, ports: LifePorts) {
    this.#life = life;
    this.#ports = ports;
  }

  /** A session was agreed on, the first one of this life or one that takes the place of a lost one. */
  begin(session: Session): void {
    const life = this.#life;
    const channel = life.conversation();
    this.agreed = session;
    this.stop();
    this.changes = new Changes(channel, session, this.#ports, {
      changed: () => life.tell({ type: "tools.changed" }),
      notified: (method) => this.#ports.notified(life, method, undefined),
    });
    askForLogs(channel, session, this.#ports, life.spec.connectTimeoutMs);
  }

  /** Rejects with ConnectError. */
  async list(signal: AbortSignal | undefined, dueAt: number): Promise<Listing> {
    const channel = this.#life.conversation();
    await this.changes?.beforeList();
    const listing = await walkTools(this.#life, channel, this.#ports, {
      signal,
      dueAt,
      keepPartial: !this.hasList,
    });
    this.hasList = true;
    if (channel.codec.modern) this.changes?.listed(listing.ttlMs);
    return listing;
  }

  notified(method: string, params: unknown, about?: PendingRequest): void {
    if (this.changes?.notified(method, params) === true) return;
    if (method === "notifications/tools/list_changed") this.#life.tell({ type: "tools.changed" });
    this.#ports.notified(this.#life, method, params, about);
  }

  /** No change is listened for any more. */
  stop(): void {
    this.changes?.stop();
  }
}
