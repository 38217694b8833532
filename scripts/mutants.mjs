// Changes the code of a room bit by bit and tells which changes no test noticed: `npm run mutants -- policy [src/file.ts]`.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { rooms } from "./mutantRooms.mjs";

const [asked, ...files] = process.argv.slice(2);
const names = asked === undefined ? Object.keys(rooms) : [asked];
for (const room of names) {
  if (!(room in rooms)) {
    console.error(`there is no room ${room}; known: ${Object.keys(rooms).join(", ")}`);
    process.exit(2);
  }
}

let failed = false;
for (const room of names) {
  const args = ["stryker", "run", ...(files.length > 0 ? ["--mutate", files.join(",")] : [])];
  const { status } = spawnSync("npx", args, { stdio: "inherit", env: { ...process.env, MUTANTS_ROOM: room } });
  failed ||= status !== 0;
  if (status === 0) console.log(summary(room));
}
process.exitCode = failed ? 1 : 0;

/** One line of figures from the report of a run. */
function summary(room) {
  const report = JSON.parse(readFileSync(`mutants/${room}.json`, "utf8"));
  const count = {};
  for (const { mutants } of Object.values(report.files)) {
    for (const { status } of mutants) count[status] = (count[status] ?? 0) + 1;
  }
  const noticed = (count.Killed ?? 0) + (count.Timeout ?? 0);
  const covered = noticed + (count.Survived ?? 0);
  const share = ((100 * noticed) / Math.max(covered, 1)).toFixed(1);
  return `${room}: ${noticed} of ${covered} covered changes noticed (${share} %), ${count.NoCoverage ?? 0} in code that no test of the room runs, ${count.Ignored ?? 0} left out`;
}
