import type { ConsumerRow } from "../../http/index.js";
import { realClock } from "../../index.js";
import type { Context } from "../context/context.js";
import { UsageError } from "../context/exitCodes.js";
import { homeOf } from "../context/home.js";
import { withService } from "./service.js";
import type { ServiceFlags } from "./service.js";

/** What looks after consumers: the running service, or the file of the state folder when none runs. */
export interface ConsumerAdmin {
  list(): Promise<readonly ConsumerRow[]>;
  add(name: string, config: object, expiresAt?: number): Promise<{ token?: string }>;
  rotate(name: string, expiresAt?: number): Promise<{ token?: string }>;
  remove(name: string): Promise<boolean>;
}

/** Lets `work` look after the consumers of a state folder. */
export async function withConsumers(
  context: Context,
  flags: ServiceFlags,
  work: (admin: ConsumerAdmin) => Promise<number>,
): Promise<number> {
  const code = await withService(context, flags, (client) =>
    work({
      list: () => client.consumers(),
      add: (each, config, expiresAt) => client.addConsumer(each, config, expiresAt),
      rotate: (each, expiresAt) => client.rotateConsumer(each, expiresAt),
      remove: (each) => client.removeConsumer(each).then(() => true),
    }),
  );
  return code ?? work(await fileAdmin(homeOf(context, flags)));
}

async function fileAdmin(home: string): Promise<ConsumerAdmin> {
  const { Consumers, loadConsumers, saveConsumers } = await import("../../gateway/index.js");
  const stored = await loadConsumers(home);
  const all = new Consumers(stored.records, stored.unnamed, () => realClock.now());
  const saved = async <T>(value: T): Promise<T> => {
    await saveConsumers(home, all.records(), all.unnamed, stored);
    return value;
  };
  return {
    list: async () => all.list() as unknown as readonly ConsumerRow[],
    async add(name, config, expiresAt) {
      const added = all.add(name, config, expiresAt);
      if ("problem" in added) throw new UsageError(added.problem);
      return saved(added);
    },
    async rotate(name, expiresAt) {
      const token = all.rotate(name, expiresAt);
      if (token === undefined) throw unknownConsumer(name);
      return saved({ token });
    },
    remove: async (name) => saved(all.remove(name)),
  };
}

/** What is said of a consumer that is not there. */
export function unknownConsumer(name: string): UsageError {
  return new UsageError(`there is no consumer "${name}"; \`mcpvisor consumers\` lists them`);
}
