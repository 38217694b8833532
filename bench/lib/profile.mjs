import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** Self time by function of a `.cpuprofile`, as shares of the time that was not idle; the biggest first. */
export function hotspots(file, limit = 25) {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, "utf8"));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const self = new Map();
  let total = 0;
  for (const [at, id] of samples.entries()) {
    const { functionName, url, lineNumber } = byId.get(id).callFrame;
    if (functionName === "(idle)" || functionName === "(program)") continue;
    const place = url === "" ? "" : ` ${url.split("/").slice(-3).join("/")}:${lineNumber + 1}`;
    const key = `${functionName || "(anonymous)"}${place}`;
    self.set(key, (self.get(key) ?? 0) + timeDeltas[at]);
    total += timeDeltas[at];
  }
  return [...self]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, limit)
    .map(([name, time]) => ({ name, share: time / total }));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const { name, share } of hotspots(process.argv[2], 45))
    console.log(`${(share * 100).toFixed(1).padStart(5)} % ${name}`);
}
