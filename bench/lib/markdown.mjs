import { cpus, totalmem } from "node:os";
import { times, us } from "./targets.mjs";

const packages = {
  sdk: "@modelcontextprotocol/sdk",
  sdk2: "@modelcontextprotocol/client",
  aiSdk: "@ai-sdk/mcp",
  langchain: "@langchain/mcp-adapters",
  mastra: "@mastra/mcp",
  mcporter: "mcporter",
};

/** docs/performance.md as `--write` makes it; `kept` is the part below that people write. */
export function markdown({ rows, figures, version, kept }) {
  const [{ model }] = cpus();
  const peers = ["sdk", ...figures.peers];
  const named = peers.map((name) => `${packages[name]} ${version(packages[name])}`).join(", ");
  const { stdio, json, sse } = figures.calls;
  const line = (name, title) =>
    `| ${[
      title,
      times(stdio[name][1].ratio.p50),
      ...[1, 16, 64, 256].map((many) => times(stdio[name][many].ratio.cpu)),
      times(1 / stdio[name][64].ratio.wall),
      times(json[name][64].ratio.cpu),
      times(sse[name][64].ratio.cpu),
    ].join(" | ")} |`;
  const floor = (kind, many, what) => us(figures.calls[kind].mcpvisor[many].a[what]);
  return `# Performance

What mcpvisor costs, measured by \`npm run bench\` (\`bench/\`). Written by \`npm run bench -- --write\`, not by hand, down to
"What stands behind the figures".

${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} × ${model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}${figures.quick ? ", short run (`--quick`)" : ""}. Beside it: ${named}.

- **Floor** is a bare Node client: a pipe (or \`node:http\` with keep-alive), a split at newlines, JSON and a \`Map\`. It checks nothing.
- mcpvisor is the whole product through its public API with default options (mode \`allow-trusted\`; \`limits.inFlight\` raised where more
  than 16 are in flight): supervision, permissions, pins, facts, deadlines.
- One process alternates short blocks of floor and client (A B B A); ratios are medians over neighbouring blocks. CPU is user and
  system time of the client's process, and the figure to trust: wall times depend on what else the machine does.

## Calls

A small tool, ratios to the floor; less is better, but for calls/s.

| client | p50, 1 at a time | CPU, 1 | CPU, 16 | CPU, 64 | CPU, 256 | calls/s, 64 | HTTP JSON CPU, 64 | HTTP SSE CPU, 64 |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| floor, absolute | ${floor("stdio", 1, "p50")} | ${[1, 16, 64, 256].map((many) => floor("stdio", many, "cpu")).join(" | ")} | ${Math.round(1e6 / stdio.mcpvisor[64].a.wall)} | ${floor("json", 64, "cpu")} | ${floor("sse", 64, "cpu")} |
${line("mcpvisor", "**mcpvisor**")}
${peers.map((name) => line(name, packages[name])).join("\n")}

![CPU per call by calls in flight](performance-calls.svg)
![Time per message by its size](performance-sizes.svg)
![CPU to start a server by the number of servers](performance-servers.svg)
![CPU to list tools by their number](performance-tools.svg)
![CPU per call by subscribers of the events](performance-subscribers.svg)

## Targets

| # | what | target | measured | |
| --- | --- | --- | --- | --- |
${rows.map(({ row, what, target, got, ok }) => `| ${row} | ${what} | ${target} | ${got} | ${ok ? "ok" : "**missed**"} |`).join("\n")}

${kept}`;
}
