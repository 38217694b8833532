import { randomUUID } from "node:crypto";
import { parseDuration } from "../config/fields/duration.js";
import { ConfigError } from "../errors.js";
import type { ServerSpec } from "../spec.js";
import { sha256 } from "../tools/sha256.js";
import type { Order } from "../events.js";
import type { Authorizations } from "./lives/authorizations.js";
import type { SharedState } from "./state/sharedState.js";
import { LibraryOfServer } from "./library/library.js";
import { statusOf } from "./status.js";
import type { ServerHandle } from "./contract/supervisor.js";
import type { ServerStatus } from "./contract/status.js";
import type { Library, ServerRecord } from "./state/serverRecord.js";
import { isAttempting } from "./state/attempts.js";
import { recordReaches } from "./state/watch.js";

/** A drain, a stop of a stubborn tree and a slow start together stay below this. */
const longestMs = 120_000;

const resting: ReadonlySet<string> = new Set(["disabled", "idle", "parked", "stuck", "retired"]);

/** Nobody can guess a secret from a version, nor compare those of two hosts. */
const salt = randomUUID();

function versionOf(spec: ServerSpec): string {
  return sha256(`${salt} ${JSON.stringify(spec)}`).slice(0, 24);
}

/** Orders for one server, each resolving with the status it led to. */
export function createHandle(
  record: ServerRecord,
  shared: SharedState,
  authorizations: Authorizations,
): ServerHandle {
  const libraryOf = (of: ServerRecord): Library => (of.library ??= new LibraryOfServer(of, shared));
  const library = (consumer?: string): Library => libraryOf(shared.recordFor(record, consumer));
  const status = (): ServerStatus => statusOf(record, shared.catalog);

  async function follow(type: Order["type"], done: (generation: number) => boolean): Promise<ServerStatus> {
    // An attempt that is under way already is the one to wait for; a restart always wants a newer one.
    const joins = type === "server.connect" && isAttempting(record);
    const before = joins ? record.generation - 1 : record.generation;
    shared.bus.order({ type, id: record.id });
    await recordReaches(record, () => done(before), shared, longestMs);
    return status();
  }

  /** It serves in a newer life, or an attempt after the order has failed. */
  function settled(before: number): boolean {
    if (record.live !== undefined) return record.generation > before;
    if (isAttempting(record)) return false;
    return resting.has(record.state)
      ? record.generation > before || record.state !== "idle"
      : record.state === "reconnecting";
  }

  return {
    id: record.id,
    status,
    version: () => versionOf(record.spec),
    connect: () =>
      record.live === undefined ? follow("server.connect", settled) : Promise.resolve(status()),
    disconnect: () => follow("server.disconnect", () => resting.has(record.state)),
    restart() {
      // Where the new life came up beside the old one and failed, there is no newer one to wait for.
      const before = record.rollbacks;
      return follow("server.restart", (generation) => settled(generation) || record.rollbacks > before);
    },
    async login({ timeout, ...wish } = {}) {
      const limit = timeout === undefined ? undefined : parseDuration(timeout);
      if (limit?.ok === false) throw new ConfigError(`login: timeout ${limit.problem}`);
      shared.keepAlive.hold();
      try {
        await authorizations.login(record, { ...wish, ...(limit !== undefined && { timeoutMs: limit.ms }) });
      } finally {
        shared.keepAlive.release();
      }
      await recordReaches(
        record,
        () => record.live !== undefined || !isAttempting(record),
        shared,
        longestMs,
      );
      return status();
    },
    logout: async ({ keepGrant = false } = {}) => ({
      revoked: await authorizations.logout(record, keepGrant),
    }),
    account: () => authorizations.account(record),
    request: (method, params, options = {}) =>
      library(options.behalf?.consumer).request(method, params, options),
    listResources: () => library().listResources(),
    listResourceTemplates: () => library().listResourceTemplates(),
    readResource: (uri) => library().readResource(uri),
    subscribeResource: (uri, listener, behalf) => library(behalf?.consumer).subscribeResource(uri, listener),
    listPrompts: () => library().listPrompts(),
    getPrompt: (name, args) => library().getPrompt(name, args),
    complete: (reference, argument, known) => library().complete(reference, argument, known),
  };
}
