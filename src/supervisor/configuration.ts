import type { ServerConfig } from "../config/input.js";
import { inlineFleet } from "../config/inline.js";
import { normalizeServer } from "../config/normalize.js";
import type { ServerSpec } from "../config/spec.js";
import { ConfigError } from "../errors.js";
import type { ConfigProblem } from "../errors.js";
import type { Desk } from "./desk.js";
import type { Fleet } from "./fleet.js";
import type { Settings } from "./options.js";
import { statusOf } from "./status.js";
import type { ServerStatus, SupervisorOptions } from "./types.js";

/** Where the specs of the fleet come from, and how they change while it runs. */
export interface Configuration {
  load(): Promise<void>;
  watch(): void;
  close(): void;
  problems(): readonly ConfigProblem[];
  save(config: ServerConfig): Promise<ServerStatus>;
  remove(id: string): Promise<boolean>;
}

export function createConfiguration(
  options: SupervisorOptions,
  settings: Settings,
  fleet: Fleet,
  desk: Desk,
): Configuration {
  let problems: readonly ConfigProblem[] = [];
  let specs: readonly ServerSpec[] = [];
  const { limits } = options;
  const rules = { network: settings.network, ...(limits === undefined ? {} : { limits }) };

  // Inline servers are known at once, so that servers() shows them before start.
  const inline = inlineFleet(options.servers ?? [], rules);
  apply(inline.specs, inline.problems);

  function apply(next: readonly ServerSpec[], told: readonly ConfigProblem[]): void {
    specs = next;
    problems = told;
    fleet.apply(next);
  }

  return {
    async load() {},
    watch() {},
    close() {},
    problems: () => problems,
    async save(config) {
      const read = normalizeServer(config, { ...rules, scope: "inline" });
      if (read.spec === undefined)
        throw new ConfigError(
          `saveServer: ${read.problems.map((each) => each.message).join("; ")}`,
          read.problems,
        );
      const { spec } = read;
      apply([...specs.filter((each) => each.id !== spec.id), spec], problems);
      const unit = desk.units.get(spec.id);
      if (unit === undefined) throw new ConfigError(`saveServer: "${spec.id}" could not be added`);
      return statusOf(unit, desk.catalog);
    },
    async remove(id) {
      if (!specs.some((each) => each.id === id)) return false;
      apply(
        specs.filter((each) => each.id !== id),
        problems,
      );
      return true;
    },
  };
}
