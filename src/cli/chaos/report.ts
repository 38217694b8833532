import type { ServerState } from "../../index.js";
import type { Violation } from "../../testing/index.js";
import { visible } from "../screen/visible.js";

/** What a torture found. */
export interface ChaosReport {
  readonly ok: boolean;
  readonly seed: number;
  readonly ms: number;
  readonly calls: {
    readonly made: number;
    readonly ok: number;
    readonly failed: Readonly<Record<string, number>>;
  };
  readonly servers: readonly {
    readonly id: string;
    readonly state: ServerState;
    readonly lives: number;
    readonly faults: Readonly<Record<string, number>>;
  }[];
  readonly violations: readonly Violation[];
}

/** The report for people, line by line. */
export function chaosLines({ seed, ms, calls, servers, violations }: ChaosReport): string[] {
  return [
    `seed ${seed}, ${(ms / 1000).toFixed(1)} s, ${calls.made} calls: ${calls.ok} ok${counts(calls.failed, ", ")}`,
    ...servers.map(
      ({ id, state, lives, faults }) =>
        `${visible(id)}: ${state} after ${lives} lives${counts(faults, "; ")}`,
    ),
    violations.length === 0 ? "every promise was kept" : `${violations.length} broken promises:`,
    ...violations.map(({ rule, message }) => `  ${rule}: ${visible(message)}`),
  ];
}

function counts(of: Readonly<Record<string, number>>, lead: string): string {
  const parts = Object.entries(of).map(([name, count]) => `${count} ${name}`);
  return parts.length === 0 ? "" : lead + parts.join(", ");
}
