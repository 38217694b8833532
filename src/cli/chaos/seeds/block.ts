import { simulate } from "../../../testing/index.js";

/** Seeds that are run one after the other. */
export interface SeedBlock {
  readonly first: number;
  readonly count: number;
}

/** A promise that a seed has broken; `replay` is the line that runs it again. */
export interface BrokenSeed {
  readonly seed: number;
  readonly replay: string;
  readonly rule: string;
  readonly message: string;
}

/** What became of a block. */
export interface BlockReport {
  readonly seeds: number;
  readonly calls: number;
  readonly facts: number;
  readonly simulatedMs: number;
  /** Faults that were met, by name. */
  readonly faults: Readonly<Record<string, number>>;
  readonly broken: readonly BrokenSeed[];
}

/** Things that happen with each seed before its faults end. */
const steps = 16;

/** Runs a block; `onSeed` is told before each seed, and ends the block early by returning false. */
export async function runBlock(
  { first, count }: SeedBlock,
  onSeed: (seed: number) => boolean,
): Promise<BlockReport> {
  const sum = { seeds: 0, calls: 0, facts: 0, simulatedMs: 0 };
  const faults: Record<string, number> = {};
  const broken: BrokenSeed[] = [];
  for (let seed = first; seed < first + count && onSeed(seed); seed++) {
    const report = await simulate({ seed, steps, servers: serversOf(seed) });
    sum.seeds++;
    sum.calls += report.calls;
    sum.facts += report.facts.length;
    sum.simulatedMs += report.ms;
    for (const [name, met] of Object.entries(report.reached)) faults[name] = (faults[name] ?? 0) + met;
    for (const { rule, message } of report.violations)
      broken.push({ seed, replay: report.replay, rule, message });
  }
  return { ...sum, faults, broken };
}

/** The line that replays a seed of which nothing else is known. */
export function replayOf(seed: number): string {
  return `simulate(${JSON.stringify({ seed, steps, servers: serversOf(seed) })})`;
}

/** What became of several blocks together. */
export function together(reports: readonly BlockReport[]): BlockReport {
  const faults: Record<string, number> = {};
  for (const report of reports)
    for (const [name, met] of Object.entries(report.faults)) faults[name] = (faults[name] ?? 0) + met;
  const sum = (of: (report: BlockReport) => number): number =>
    reports.reduce((total, report) => total + of(report), 0);
  return {
    seeds: sum(({ seeds }) => seeds),
    calls: sum(({ calls }) => calls),
    facts: sum(({ facts }) => facts),
    simulatedMs: sum(({ simulatedMs }) => simulatedMs),
    faults,
    broken: reports.flatMap(({ broken }) => broken),
  };
}

// One server finds what one server can do wrong; two find what they do to each other.
function serversOf(seed: number): number {
  return 1 + (seed % 2);
}
