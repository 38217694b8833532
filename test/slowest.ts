import type { Reporter, TestModule } from "vitest/node";

const shown = 10;

/** Prints the ten slowest tests of a run, so that nobody has to look for where the time goes. */
export const slowest: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({
        ms: test.diagnostic()?.duration ?? 0,
        name: `${module.relativeModuleId} > ${test.fullName}`,
      })),
    );
    if (tests.length <= shown) return;
    const lines = tests
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, shown)
      .map(({ ms, name }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`);
    process.stdout.write(`\nThe slowest of ${tests.length} tests:\n${lines.join("\n")}\n`);
  },
};
