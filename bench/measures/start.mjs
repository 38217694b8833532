import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median } from "../lib/blocks.mjs";
import { parameters, report } from "../lib/setup.mjs";

/** Import time, memory after import, and what `mcpvisor --help` costs, each in fresh processes; CPU in ms. */
const { rounds } = parameters();
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const modules = { floor: "../clients/floor.mjs", mcpvisor: "../../dist/index.js", sdk: "../clients/sdk.mjs" };
const result = {};
for (const [name, path] of Object.entries(modules)) {
  const code = `const c = process.cpuUsage();
    await import(${JSON.stringify(here(path))});
    const { user, system } = process.cpuUsage(c);
    console.log(JSON.stringify({ cpu: (user + system) / 1000, rss: process.memoryUsage().rss / 1048576 }));`;
  const taken = [];
  for (let round = 0; round < rounds; round++)
    taken.push(JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", code]).toString()));
  result[name] = { cpu: median(taken.map((each) => each.cpu)), rss: median(taken.map((each) => each.rss)) };
}
const bin = here("../../dist/cli/main.js");
result.helpCpu = costOf([bin, "--help"]);
result.nodeCpu = costOf(["-e", "0"]);
report(result);

/** CPU of whole processes, as the kernel counts it for children that have ended. */
function costOf(args) {
  const taken = [];
  for (let round = 0; round < rounds; round++) {
    const script = `"$0" "$@" >/dev/null; times`;
    const out = execFileSync("bash", ["-c", script, process.execPath, ...args]).toString();
    const [user, system] = out.trim().split("\n")[1].split(" ").map(seconds);
    taken.push((user + system) * 1000);
  }
  return median(taken);
}

function seconds(text) {
  const [, minutes, rest] = /(\d+)m([\d.]+)s/.exec(text);
  return Number(minutes) * 60 + Number(rest);
}
