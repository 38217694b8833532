// Changes the code of a room bit by bit and tells which changes no test of it noticed:
// `npm run mutants -- policy`, or `npm run mutants -- policy src/policy/backoff.ts` for some files of it.
import { readFileSync } from "node:fs";
import { Stryker } from "@stryker-mutator/core";
import { rooms } from "./mutantRooms.mjs";

const [asked, ...files] = process.argv.slice(2);
if (asked !== undefined && !Object.hasOwn(rooms, asked)) {
  console.error(`there is no room ${asked}; known: ${Object.keys(rooms).join(", ")}`);
  process.exit(2);
}
const lines = [];
for (const room of asked === undefined ? Object.keys(rooms) : [asked]) {
  process.env.MUTANTS_ROOM = room;
  await new Stryker(optionsFor(room)).runMutationTest();
  lines.push(summary(room));
}
console.log(lines.join("\n"));

function optionsFor(room) {
  return {
    testRunner: "vitest",
    vitest: { configFile: "vitest.mutants.config.ts", related: false },
    plugins: ["@stryker-mutator/vitest-runner"],
    mutate: files.length > 0 ? files : rooms[room].mutate.map((each) => `src/${each}`),
    coverageAnalysis: "perTest",
    // Tables that are made when a module is loaded would run all tests anew for each of their changes.
    ignoreStatic: true,
    // The words of messages are for people; what decides is compared in conditions, which are changed.
    mutator: { excludedMutations: ["StringLiteral"] },
    concurrency: 1,
    // A second run looks only at what has changed since, in the code or in the tests.
    incremental: true,
    incrementalFile: `mutants/${room}.incremental.json`,
    reporters: ["html", "json", "clear-text", "progress-append-only"],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: false },
    htmlReporter: { fileName: `mutants/${room}.html` },
    jsonReporter: { fileName: `mutants/${room}.json` },
    tempDirName: ".mutants",
    ignorePatterns: ["dist", "coverage", "mutants", "bench"],
  };
}

/** One line of figures from the report of a run; the same stand in docs/reliability.md. */
function summary(room) {
  const report = JSON.parse(readFileSync(`mutants/${room}.json`, "utf8"));
  const statuses = Object.values(report.files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const count = (...wanted) => statuses.filter((each) => wanted.includes(each)).length;
  const noticed = count("Killed", "Timeout");
  const covered = noticed + count("Survived");
  const share = ((100 * noticed) / Math.max(covered, 1)).toFixed(1);
  return `${room}: ${noticed} of ${covered} covered changes noticed (${share} %), ${count("NoCoverage")} in code that no test of the room runs`;
}
