import { draw } from "./draw.mjs";

/** The pictures of docs/performance.md by file name. */
export function plots({ calls, sizes, fleet, listing, subscribers }) {
  const ofFloor = Object.entries(calls.stdio.mcpvisor).map(([x, { a }]) => [Number(x), a.cpu]);
  const others = Object.keys(calls.stdio);
  const servers = Object.keys(fleet).map(Number);
  const ofFleet = (name) =>
    servers
      .filter((many) => fleet[many][name] !== undefined)
      .map((many) => [many, fleet[many][name].cpuMsPerServer]);
  return {
    "performance-calls.svg": draw({
      title: "CPU per call over stdio",
      x: "calls in flight",
      y: "µs",
      series: {
        floor: ofFloor,
        ...Object.fromEntries(others.map((name) => [name, absolute(calls.stdio[name])])),
      },
    }),
    "performance-sizes.svg": draw({
      title: "Time per answer over stdio",
      x: "bytes",
      y: "ms",
      series: Object.fromEntries(Object.entries(sizes.stdio).map(([name, cells]) => [name, ofSizes(cells)])),
    }),
    "performance-servers.svg": draw({
      title: "Client CPU per server until its tools are listed",
      x: "servers started together",
      y: "ms",
      series: Object.fromEntries(["floor", ...others].map((name) => [name, ofFleet(name)])),
    }),
    "performance-tools.svg": draw({
      title: "CPU to list the tools of a server",
      x: "tools",
      y: "ms",
      series: {
        floor: ofListing(listing, "mcpvisor", "floorMs"),
        ...Object.fromEntries(others.map((name) => [name, ofListing(listing, name, "ms")])),
      },
    }),
    "performance-subscribers.svg": draw({
      title: "CPU per call by subscribers of events$",
      x: "subscribers",
      y: "µs",
      series: {
        "nobody listens": heard(subscribers).map(([count]) => [count, subscribers[0]]),
        mcpvisor: heard(subscribers),
      },
    }),
  };
}

function ofListing(listing, name, what) {
  return Object.entries(listing)
    .filter(([, cells]) => cells[name] !== undefined)
    .map(([tools, cells]) => [Number(tools), cells[name][what]]);
}

/** A logarithmic axis has no place for nobody. */
function heard(subscribers) {
  return Object.entries(subscribers)
    .map(([count, cpu]) => [Number(count), cpu])
    .filter(([count]) => count > 0);
}

function absolute(cells) {
  return Object.entries(cells).map(([x, { b }]) => [Number(x), b.cpu]);
}

function ofSizes(cells) {
  return Object.entries(cells).map(([x, { wall }]) => [Number(x), wall]);
}
