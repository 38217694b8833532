// `npm run mutants -- ROOM` (scripts/mutants.mjs) sets the room; docs/reliability.md has the figures.
import { rooms } from "./scripts/mutantRooms.mjs";

const room = process.env["MUTANTS_ROOM"] ?? "policy";
const { mutate } = rooms[room];

export default {
  testRunner: "vitest",
  vitest: { configFile: "vitest.mutants.config.ts", related: false },
  plugins: ["@stryker-mutator/vitest-runner"],
  mutate: mutate.map((each) => `src/${each}`),
  coverageAnalysis: "perTest",
  // Tables that are made when a module is loaded have tests of their own; each such mutant would run all tests anew.
  ignoreStatic: true,
  // The words of messages are for people; what decides is compared in conditions, which are changed.
  mutator: { excludedMutations: ["StringLiteral"] },
  concurrency: 1,
  timeoutMS: 5000,
  reporters: ["html", "json", "clear-text", "progress-append-only"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: false },
  htmlReporter: { fileName: `mutants/${room}.html` },
  jsonReporter: { fileName: `mutants/${room}.json` },
  tempDirName: ".mutants",
  ignorePatterns: ["dist", "coverage", "mutants", "bench"],
  allowEmpty: false,
  // No figure of this house is sent anywhere.
  allowConsoleColors: false,
  warnings: { unknownOptions: true },
};
