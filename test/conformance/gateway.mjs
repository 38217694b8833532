// Runs the official server scenarios of both revisions through the gateway, with the SDK's example server behind it.
// One line for each: `pass REVISION SCENARIO: n of m checks`. Fails when a scored scenario fails, or fewer ran than the
// revision requires. `node test/conformance/gateway.mjs [revision]`; needs dist (npm run build).
import { fork, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";

const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const suiteFolder = join(here, "../../node_modules/@modelcontextprotocol/conformance");
const revisions = process.argv[2] === undefined ? ["2025-11-25", "2026-07-28"] : [process.argv[2]];
let failed = 0;
for (const revision of revisions) failed += await run(revision);
console.log(
  failed === 0 ? "conformance of the gateway: all passed" : `conformance of the gateway: ${failed} failed`,
);
process.exitCode = failed === 0 ? 0 : 1;

async function run(revision) {
  const wanted = new Set(
    parse(readFileSync(join(suiteFolder, `requirements/${revision}.yaml`), "utf8")).server,
  );
  const folder = mkdtempSync(join(tmpdir(), "mcpvisor-gateway-results-"));
  // The server behind it speaks the same revision: its tools of the older one ask in the middle of a call.
  const gateway = fork(join(here, "server/gateway.mjs"), [revision], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  try {
    const { url } = await new Promise((resolve, reject) => {
      gateway.once("message", resolve);
      gateway.once("exit", () => reject(new Error("the gateway did not start")));
    });
    await suite(["server", "--url", url, "--requirements", revision, "-o", folder, "--timeout", "60000"]);
    let bad = 0;
    const ran = new Set();
    for (const { scenario, checks } of results(folder)) {
      ran.add(scenario);
      const successes = checks.filter(({ status }) => status === "SUCCESS").length;
      const wrong = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
      const scored = wanted.has(scenario);
      const ok = wrong.length === 0 && successes > 0;
      if (scored && !ok) bad++;
      const word = ok ? "pass" : scored ? "FAIL" : "miss";
      console.log(
        `${word} ${revision} ${scenario}: ${successes} of ${successes + wrong.length} checks${scored ? "" : " (not scored)"}`,
      );
      if (scored) for (const { id, errorMessage } of wrong) console.log(`  ${id}: ${errorMessage}`);
    }
    const missing = [...wanted].filter((each) => !ran.has(each));
    for (const each of missing) console.log(`FAIL ${revision} ${each}: was not run`);
    console.log(`${revision}: ${wanted.size - bad - missing.length} of ${wanted.size} scored scenarios`);
    return bad + missing.length;
  } finally {
    gateway.disconnect();
    await new Promise((resolve) => gateway.once("exit", resolve));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the suite found, by scenario; its folders are `server-<scenario>-<time>`. */
function results(folder) {
  return readdirSync(folder)
    .toSorted()
    .map((name) => ({
      scenario: name.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ""),
      checks: JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8")),
    }));
}

function suite(args) {
  const child = spawn(
    process.execPath,
    ["--import", join(here, "preload.mjs"), join(suiteFolder, "dist/index.js"), ...args],
    {
      stdio: "ignore",
    },
  );
  return new Promise((resolve) => child.once("close", resolve));
}
