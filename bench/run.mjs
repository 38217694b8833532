import { buildApart } from "./lib/apart.mjs";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { adapterOf } from "./lib/setup.mjs";
import { measure, ofRuns } from "./lib/measure.mjs";
import { markdown } from "./lib/markdown.mjs";
import { plots } from "./lib/plots.mjs";
import { hotspots } from "./lib/profile.mjs";
import { gatewayTable } from "./gateway/table.mjs";
import { judge, table } from "./lib/targets.mjs";

const usage = `npm run bench -- [options]
  --quick     fewer rounds: about two minutes on a quiet machine
  --gateway   the gateway alone, beside a bare exchange, the SDK and (with --peers) other gateways
  --peers     the other clients, too (installed into bench/peers)
  --profile   keep CPU profiles in bench/profiles and print where the time goes
  --json      print the raw figures
  --write     write docs/performance.md and its pictures`;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const flags = ["quick", "gateway", "peers", "profile", "json", "write", "help"];
const { values: options } = parseArgs({
  options: Object.fromEntries(flags.map((name) => [name, { type: "boolean", default: false }])),
});
if (options.help) {
  console.log(usage);
  process.exit();
}
if (!existsSync(here("../dist/index.js"))) throw new Error("dist is missing: npm run build");
const peers = options.peers ? await loadPeers() : [];
const others = ["mcpvisor", "sdk", ...peers];
const { quick } = options;
const runs = quick ? 1 : 3;
const say = (text) => process.stderr.write(`${text}\n`);

if (options.profile) profileAll();
else if (options.gateway) measureGateway();
else await measureAll();

function measureGateway() {
  const figures = measure("gateway", quick ? { rounds: 3, calls: 2000 } : { rounds: 7, calls: 5000 });
  console.log(options.json ? JSON.stringify(figures, undefined, 2) : gatewayTable(figures));
}

async function measureAll() {
  const figures = { quick, peers, calls: {}, sizes: {}, fleet: {}, idle: {}, listing: {} };
  for (const kind of ["stdio", "json", "sse"]) {
    say(`calls over ${kind}`);
    const inFlight = kind === "stdio" ? [1, 16, 64, 256] : [1, 64];
    const rounds = quick ? 5 : 12;
    figures.calls[kind] = ofRuns(runs, () =>
      measure("calls", { kind, clients: others, inFlight, rounds, scale: quick ? 0.5 : 1 }),
    );
  }
  for (const kind of ["stdio", "sse"]) {
    say(`growing results over ${kind}`);
    const sizes = [1e3, 1e4, 1e5, 1e6, 1e7, 5e7];
    const clients = ["floor", ...others];
    figures.sizes[kind] = measure("sizes", { kind, clients, sizes, rounds: quick ? 3 : 5 });
  }
  say("one answer over the limit");
  figures.oversize = measure("oversize", {}, ["--expose-gc"]);
  for (const servers of quick ? [1, 10, 50] : [1, 10, 50, 200]) {
    say(`${servers} servers together`);
    figures.fleet[servers] = {};
    for (const client of ["floor", "mcpvisor", ...(servers > 50 ? [] : ["sdk", ...peers])]) {
      const times = servers > 50 || quick ? 1 : 3;
      const fleet = () => measure("fleet", { client, servers }, ["--expose-gc"]);
      figures.fleet[servers][client] = ofRuns(times, fleet);
    }
  }
  say("200 idle servers");
  figures.idle.servers = 200;
  for (const client of quick ? ["mcpvisor"] : ["floor", ...others])
    figures.idle[client] = measure("idle", { client, servers: figures.idle.servers }, ["--expose-gc"]);
  say("import and help");
  figures.start = measure("start", { rounds: quick ? 5 : 11 });
  for (const tools of [50, 500, 5000]) {
    say(`listing ${tools} tools`);
    const rounds = tools > 500 ? 2 : quick ? 4 : 8;
    figures.listing[tools] = measure("listing", {
      clients: tools > 500 ? ["mcpvisor"] : others,
      tools,
      outputSchema: true,
      rounds,
    });
  }
  say("timeouts and signals");
  figures.signals = measure("signals", { clients: ["mcpvisor", "sdk"], rounds: quick ? 7 : 15 });
  say("subscribers of the events");
  figures.subscribers = measure("subscribers", {
    counts: [0, 1, 4, 16, 64],
    rounds: quick ? 5 : 11,
    calls: quick ? 2000 : 5000,
  });
  say("heap over many calls");
  figures.heap = measure("heap", { calls: quick ? 50_000 : 200_000 }, ["--expose-gc"]);
  say("our own layers");
  buildApart();
  figures.layers = ofRuns(runs, () => measure("layers", { rounds: quick ? 10 : 25 }));
  say("adapters for frameworks");
  figures.frameworks = measure("frameworks", { peers, ...(quick && { rounds: 3, calls: 8000 }) });
  const rows = judge(figures);
  if (options.json) console.log(JSON.stringify(figures, undefined, 2));
  else console.log(table(rows));
  if (!options.write) return;
  const file = here("../docs/performance.md");
  writeFileSync(file, markdown({ rows, figures, version: readVersion, kept: keptPart(file) }));
  for (const [name, svg] of Object.entries(plots(figures))) writeFileSync(here(`../docs/${name}`), svg);
}

/** What people wrote below the marker stays. */
function keptPart(file) {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const at = text.indexOf("## What stands behind the figures");
  return at < 0 ? "" : text.slice(at);
}

function readVersion(name) {
  const from = ["node_modules", "bench/peers/node_modules"];
  const file = from
    .map((folder) => here(`../${folder}/${name}/package.json`))
    .find((path) => existsSync(path));
  return file === undefined ? "?" : JSON.parse(readFileSync(file, "utf8")).version;
}

/** Installs the peers on first use; one that does not load is left out and named. */
async function loadPeers() {
  const folder = here("peers");
  if (!existsSync(`${folder}/node_modules`))
    execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], {
      cwd: folder,
      stdio: "inherit",
    });
  const names = readdirSync(`${folder}/adapters`).map((file) => file.replace(".mjs", ""));
  const usable = [];
  for (const name of names) {
    try {
      await adapterOf(name);
      usable.push(name);
    } catch (error) {
      process.stderr.write(`${name} is left out: ${error.message}\n`);
    }
  }
  return usable;
}

function profileAll() {
  const folder = here("profiles");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const client of ["floor", ...others]) {
    for (const [kind, inFlight] of [
      ["stdio", 1],
      ["stdio", 64],
      ["json", 64],
      ["sse", 64],
    ]) {
      const name = `${client}-${kind}-${inFlight}.cpuprofile`;
      const count = (quick ? 10_000 : 50_000) / (kind === "stdio" && inFlight > 1 ? 1 : 5);
      const { cpu } = measure("solo", { kind, client, inFlight, count }, [
        "--cpu-prof",
        `--cpu-prof-dir=${folder}`,
        `--cpu-prof-name=${name}`,
      ]);
      console.log(`\n${client}, ${kind}, ${inFlight} in flight: ${cpu.toFixed(1)} µs CPU per call`);
      for (const spot of hotspots(`${folder}/${name}`, 15))
        console.log(`  ${(spot.share * 100).toFixed(1).padStart(5)} %  ${spot.name}`);
    }
  }
  console.log(`\nOpen the files in ${folder} with the profiler of a browser.`);
}
