import type { Supervisor } from "../index.js";
import { createGateway } from "./gateway.js";
import type { Gateway, GatewayOptions } from "./gateway.js";
import { saveConsumers } from "./consumers/save.js";
import { loadConsumers, loadKey } from "./consumers/store.js";
import { isGatewayOn, readSection } from "./consumers/section.js";
import { supervisorFleet } from "./supervisorFleet.js";

/** What the gateway of a state folder needs. */
export interface OpenGatewayOptions extends Pick<GatewayOptions, "ownerToken" | "version" | "bodyBytes"> {
  /** State folder: holds the consumers and the key of their sessions. */
  readonly home: string;
  /** The section `gateway` of settings.json: consumers written there win over those of `consumers.json`, which has the tokens. */
  readonly settings?: unknown;
  /** Told of what is wrong in `consumers.json`, or cannot be written there. */
  readonly onProblem?: (message: string) => void;
}

/** A gateway that can be mounted in the service of a state folder. */
export interface OpenGateway extends Gateway {
  /** Stops it, and resolves when its consumers are written down. */
  close(): Promise<void>;
}

/** Opens the gateway of a state folder before a supervisor. Rejects when `consumers.json` or the key cannot be read. */
export async function openGateway(supervisor: Supervisor, options: OpenGatewayOptions): Promise<OpenGateway> {
  const { home, onProblem, settings, ...rest } = options;
  const [stored, key] = await Promise.all([loadConsumers(home), loadKey(home)]);
  const section = readSection(settings, stored.records);
  for (const problem of [...stored.problems, ...section.problems]) onProblem?.(problem);
  const unnamedName = section.unnamed ?? stored.unnamed;
  let saving = Promise.resolve();
  let saved: Parameters<typeof saveConsumers>[3] = stored;
  const gateway = createGateway(supervisorFleet(supervisor), {
    ...rest,
    consumers: section.records,
    ...(unnamedName === undefined || unnamedName === "none" ? {} : { unnamed: unnamedName }),
    key,
    onConsumers: (records, unnamed) => {
      saving = saving
        .then(() => saveConsumers(home, records, unnamed, saved))
        .then(() => void (saved = { records, unnamed }))
        .catch((error: unknown) =>
          onProblem?.(`consumers.json: ${error instanceof Error ? error.message : String(error)}`),
        );
    },
  });
  return {
    ...gateway,
    // Switched off it is nobody's endpoint, and its consumers can be looked after all the same.
    ...(isGatewayOn(settings) ? {} : { owns: () => false }),
    async close() {
      // When each was last used is worth keeping, but not worth a write per request.
      if (gateway.consumers.list().some((each) => each.calls > 0)) gateway.consumers.changed();
      gateway.stop();
      await saving;
    },
  };
}
