import { Consumer } from "./consumer.js";
import type { ConsumerConfig } from "./consumer.js";
import { hashToken, isToken, newToken } from "./tokens.js";

/** What is stored of a token; never the token. */
export interface TokenRecord {
  /** SHA-256 of the token. */
  readonly hash: string;
  /** When it was made, in epoch ms. */
  readonly createdAt: number;
  /** When it becomes void, in epoch ms; absent for never. */
  readonly expiresAt?: number;
  /** When it was last used, in epoch ms; absent before the first use. */
  readonly lastUsedAt?: number;
}

/** What is stored of a consumer, in `consumers.json` of the state folder. */
export interface ConsumerRecord {
  /** 1 to 32 characters of `a-z 0-9 - _`. */
  readonly name: string;
  /** What it may see and use. */
  readonly config: ConsumerConfig;
  /** Its token; absent when none opens it. */
  readonly token?: TokenRecord;
}

/** What is told of a consumer on request; no secret is in it. */
export interface ConsumerInfo extends Omit<ConsumerRecord, "token"> {
  /** What is known of its token; absent when none opens it. */
  readonly token?: Omit<TokenRecord, "hash">;
  /** Requests under way. */
  readonly inFlight: number;
  /** Open sessions. */
  readonly sessions: number;
  /** Open event streams. */
  readonly streams: number;
  /** Calls that wait for an answer of the consumer. */
  readonly parked: number;
  /** Calls so far. */
  readonly calls: number;
}

interface Entry {
  record: ConsumerRecord;
  consumer: Consumer;
}

const namePattern = /^[a-z0-9][a-z0-9_-]{0,31}$/;

/** Who may come in, by token; each change of a consumer ends what it had under way. */
export class Consumers {
  readonly #entries = new Map<string, Entry>();
  readonly #byHash = new Map<string, Entry>();
  readonly #now: () => number;
  /** The consumer of requests without a token; undefined: they are refused. */
  unnamed: string | undefined;
  /** Told after a change that is to be kept. */
  changed: () => void = () => undefined;
  /** Told when a consumer object is void. */
  ended: (consumer: Consumer) => void = () => undefined;

  /** `now` gives epoch ms, for the ages of tokens. */
  constructor(records: readonly ConsumerRecord[], unnamed: string | undefined, now: () => number) {
    this.#now = now;
    this.unnamed = unnamed;
    for (const record of records) this.#put(record);
  }

  /** The consumer that a token opens; undefined when the token is unknown or void. */
  byToken(token: string): Consumer | undefined {
    const entry = this.#byHash.get(hashToken(token));
    const stored = entry?.record.token;
    if (entry === undefined || stored === undefined || !isToken(token, stored.hash)) return undefined;
    const now = this.#now();
    if (stored.expiresAt !== undefined && stored.expiresAt <= now) return undefined;
    return entry.consumer;
  }

  /** The consumer of this name, if there is one. */
  byName(name: string): Consumer | undefined {
    return this.#entries.get(name)?.consumer;
  }

  /** Adds a consumer, or gives a known one another configuration. Returns its new token only when it is new. */
  add(
    name: string,
    config: ConsumerConfig,
    expiresAt?: number,
  ):
    | {
        /** Only of a new consumer; never shown again. */
        readonly token?: string;
      }
    | {
        /** Why nothing was done, in one sentence. */
        readonly problem: string;
      } {
    if (!namePattern.test(name))
      return {
        problem: `"${name.slice(0, 40)}" is no name of a consumer; write 1 to 32 characters of a-z, 0-9, - and _`,
      };
    const known = this.#entries.get(name);
    if (known?.record.token !== undefined) {
      this.#put({ ...known.record, config });
      this.changed();
      return {};
    }
    return { token: this.#withToken(name, config, expiresAt) };
  }

  /** A consumer that is known by its name only, such as over stdio: no token opens it. */
  ensure(name: string, config: ConsumerConfig = {}): Consumer {
    return this.byName(name) ?? this.#put({ name, config });
  }

  /** A new token; the old one is void at once. */
  rotate(name: string, expiresAt?: number): string | undefined {
    const known = this.#entries.get(name);
    return known === undefined ? undefined : this.#withToken(name, known.record.config, expiresAt);
  }

  /** Removes a consumer; its token is void at once. False: there is none. */
  remove(name: string): boolean {
    const known = this.#entries.get(name);
    if (known === undefined) return false;
    this.#drop(known);
    this.changed();
    return true;
  }

  /** Ends those whose time is over. */
  sweep(): void {
    const now = this.#now();
    for (const { record, consumer } of this.#entries.values())
      if ((record.token?.expiresAt ?? Infinity) <= now && !consumer.end.signal.aborted) this.#end(consumer);
  }

  /** What is to be stored of all of them. */
  records(): readonly ConsumerRecord[] {
    return [...this.#entries.values()].map(({ record, consumer }) => {
      const { usedAt } = consumer.meter;
      if (record.token === undefined || usedAt === 0) return record;
      return { ...record, token: { ...record.token, lastUsedAt: usedAt } };
    });
  }

  /** What is told of all of them; without secrets. */
  list(): readonly ConsumerInfo[] {
    return this.records().map(({ token, ...record }) => {
      const { inFlight, sessions, streams, parked, calls } =
        this.#entries.get(record.name)?.consumer.meter ?? none;
      const { hash: _hash, ...shown } = token ?? { hash: "", createdAt: 0 };
      void _hash;
      return {
        ...record,
        ...(token === undefined ? {} : { token: shown }),
        inFlight,
        sessions,
        streams,
        parked,
        calls,
      };
    });
  }

  #withToken(name: string, config: ConsumerConfig, expiresAt?: number): string {
    const token = newToken();
    const stored = {
      hash: hashToken(token),
      createdAt: this.#now(),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    };
    this.#put({ name, config, token: stored });
    this.changed();
    return token;
  }

  #put(record: ConsumerRecord): Consumer {
    const known = this.#entries.get(record.name);
    if (known !== undefined) this.#drop(known);
    const { name, config, token } = record;
    const epoch = hashToken(`${token?.hash ?? ""}\n${JSON.stringify(config)}`).slice(0, 16);
    const entry = { record, consumer: new Consumer(name, config, epoch, token?.expiresAt) };
    this.#entries.set(name, entry);
    if (token !== undefined) this.#byHash.set(token.hash, entry);
    return entry.consumer;
  }

  #drop({ record, consumer }: Entry): void {
    this.#entries.delete(record.name);
    if (record.token !== undefined) this.#byHash.delete(record.token.hash);
    this.#end(consumer);
  }

  #end(consumer: Consumer): void {
    consumer.end.abort();
    this.ended(consumer);
  }
}

const none = { inFlight: 0, sessions: 0, streams: 0, parked: 0, calls: 0 };
