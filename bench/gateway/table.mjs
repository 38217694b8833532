const line = (name, { p50, cpu1, cpu64, perSecond, rss }) =>
  `| ${name} | ${p50.toFixed(2)} | ${cpu1.toFixed(0)} | ${cpu64.toFixed(0)} | ${perSecond.toFixed(0)} | ${rss.toFixed(0)} |`;

/** The figures of `--gateway` with the goals of the gateway. */
export function gatewayTable({ fronts, stdio, idleKb, searchMs }) {
  const { bare, gateway, sdk } = fronts;
  const proxy = fronts["mcp-proxy"];
  const goals = [
    ["CPU per call at 64, by that of a bare exchange", "≤ 1.7", gateway.cpu64 / bare.cpu64, (x) => x <= 1.7],
    [
      "CPU per call at 64, by that of the SDK's transport",
      "≤ 0.25",
      gateway.cpu64 / sdk.cpu64,
      (x) => x <= 0.25,
    ],
    ...(proxy === undefined
      ? []
      : [
          ["calls/s at 64, by those of mcp-proxy", "≥ 4", gateway.perSecond / proxy.perSecond, (x) => x >= 4],
        ]),
    ["stdio front at 64, by a direct call", "≤ 2.5", stdio.front / stdio.direct, (x) => x <= 2.5],
    ["an idle consumer, KB", "≤ 60", idleKb, (x) => x <= 60],
    ["search over 5,000 tools, ms", "≤ 5", searchMs, (x) => x <= 5],
  ];
  return [
    "| front | p50 ms, 1 at a time | CPU µs/call, 1 | CPU µs/call, 64 | calls/s, 64 | MB |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
    ...Object.entries(fronts).map(([name, figures]) => line(name, figures)),
    "",
    "| what | goal | measured | |",
    "| --- | --- | ---: | --- |",
    ...goals.map(
      ([what, goal, got, holds]) =>
        `| ${what} | ${goal} | ${got.toFixed(2)} | ${holds(got) ? "yes" : "NO"} |`,
    ),
  ].join("\n");
}
