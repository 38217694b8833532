/** The targets of the project, each with what was measured for it. A row is { row, what, target, got, ok }. */
export function judge(figures) {
  const rows = [];
  const add = (row, what, target, got, ok) => rows.push({ row, what, target, got, ok });
  const stdio = figures.calls.stdio;
  const ours = stdio.mcpvisor;
  const one = ours[1];
  add(1, "stdio, one at a time: p50", "≤ 1.15 × floor", times(one.ratio.p50), one.ratio.p50 <= 1.15);
  add(1, "stdio, one at a time: CPU", "≤ 1.2 × floor", times(one.ratio.cpu), one.ratio.cpu <= 1.2);
  for (const many of [16, 64, 256]) {
    const { cpu, wall } = ours[many].ratio;
    const sdk = stdio.sdk[many].ratio;
    const speed = { floor: 1 / wall, sdk: sdk.wall / wall };
    add(
      2,
      `stdio, ${many} in flight: CPU per call`,
      "≤ 0.9 × floor, ≤ 0.3 × SDK",
      `${times(cpu)}, ${times(cpu / sdk.cpu)}`,
      cpu <= 0.9 && cpu / sdk.cpu <= 0.3,
    );
    add(
      3,
      `stdio, ${many} in flight: calls/s`,
      "≥ 1 × floor, ≥ 3 × SDK",
      `${times(speed.floor)}, ${times(speed.sdk)}`,
      speed.floor >= 1 && speed.sdk >= 3,
    );
  }
  for (const [kind, sizes] of Object.entries(figures.sizes)) {
    const growth = sizes.mcpvisor[5e7].wall / sizes.mcpvisor[1e7].wall;
    const toFloor = sizes.mcpvisor[5e7].cpu / sizes.floor[5e7].cpu;
    add(4, `${kind}: t(50 MB) ÷ t(10 MB)`, "≤ 7", growth.toFixed(1), growth <= 7);
    add(4, `${kind}: one 50 MB message, CPU`, "≤ 1.2 × floor", times(toFloor), toFloor <= 1.2);
  }
  const { failure, othersOk, peakBytes, limitBytes } = figures.oversize;
  add(5, "64 MB answer at a limit of 4 MB: the others", "go on", othersOk ? "go on" : "fail", othersOk);
  const held = `${(peakBytes / 1048576).toFixed(1)} MB held, ${failure}`;
  add(
    5,
    "… its own call",
    "typed failure, ≤ limit held",
    held,
    failure !== undefined && peakBytes <= limitBytes,
  );
  for (const [servers, fleet] of Object.entries(figures.fleet)) {
    const wall = fleet.mcpvisor.wallMs / fleet.floor.wallMs;
    const cpu = fleet.mcpvisor.cpuMsPerServer / fleet.floor.cpuMsPerServer;
    const got = `${times(wall)}, ${times(cpu)}`;
    add(6, `${servers} servers together: wall, CPU`, "≤ 1.1, ≤ 1.5 × floor", got, wall <= 1.1 && cpu <= 1.5);
  }
  const { mcpvisor, helpCpu, nodeCpu } = figures.start;
  add(7, "import: CPU", "≤ 200 ms", ms(mcpvisor.cpu), mcpvisor.cpu <= 200);
  add(7, "import: RSS", "≤ 65 MB", `${mcpvisor.rss.toFixed(0)} MB`, mcpvisor.rss <= 65);
  add(7, `mcpvisor --help: CPU (node alone: ${ms(nodeCpu)})`, "≤ 150 ms", ms(helpCpu), helpCpu <= 150);
  const { servers: most, mcpvisor: idle } = figures.idle;
  add(8, `${most} idle servers: RSS each`, "≤ 60 KB", kb(idle.rssKbPerServer), idle.rssKbPerServer <= 60);
  add(8, `${most} idle servers: heap each`, "≤ 25 KB", kb(idle.heapKbPerServer), idle.heapKbPerServer <= 25);
  const share = idle.idlePercent;
  add(8, `${most} idle servers: CPU`, "≤ 0.2 % of a core", `${share.toFixed(2)} %`, share <= 0.2);
  for (const [tools, list] of Object.entries(figures.listing).filter(([many]) => many >= 500)) {
    const { ratio } = list.mcpvisor;
    add(9, `list ${tools} tools: CPU`, "≤ 1.3 × floor", times(ratio), ratio <= 1.3);
  }
  for (const kind of ["json", "sse"]) {
    const { cpu } = figures.calls[kind].mcpvisor[64].ratio;
    const toSdk = cpu / figures.calls[kind].sdk[64].ratio.cpu;
    const got = `${times(cpu)}, ${times(toSdk)}`;
    add(10, `HTTP ${kind}, 64 in flight: CPU`, "≤ 1.3 × floor, ≤ 0.2 × SDK", got, cpu <= 1.3 && toSdk <= 0.2);
  }
  const { timeout, signal, sharedFirst, sharedLast, listenersLeft, warnings } = figures.signals.mcpvisor;
  add(11, "timeout per call: CPU on top", "≤ 1 µs", us(timeout), timeout <= 1);
  add(11, "signal per call: CPU on top", "≤ 3 µs", us(signal), signal <= 3);
  add(
    11,
    "one signal for 20,000 calls",
    "constant, nothing left",
    `${us(sharedFirst)} → ${us(sharedLast)}, ${listenersLeft} left, ${warnings} warnings`,
    sharedLast <= sharedFirst * 1.5 && listenersLeft === 0 && warnings === 0,
  );
  const { calls, bytesPerCall } = figures.heap;
  add(
    12,
    `${calls} calls: heap kept per call`,
    "≤ 20 bytes",
    `${bytesPerCall.toFixed(1)} bytes`,
    bytesPerCall <= 20,
  );
  add(13, "own layers: CPU per call", "≤ 5 µs", us(figures.layers.cpu), figures.layers.cpu <= 5);
  for (const [adapter, cpu] of Object.entries(figures.frameworks.added))
    add(14, `${adapter} adapter: CPU on top of a call`, "≤ 5 µs", us(cpu), cpu <= 5);
  for (const [peer, { mcpvisor: mine, own }] of Object.entries(figures.frameworks.whole))
    add(
      14,
      `a whole call through ${peer}: ours, theirs`,
      "≤ 1.1 × theirs",
      `${us(mine)}, ${us(own)}`,
      mine <= 1.1 * own,
    );
  return rows;
}

/** The rows as a table for a terminal. */
export function table(rows) {
  const cells = [
    ["#", "what", "target", "measured", ""],
    ...rows.map(({ row, what, target, got, ok }) => [String(row), what, target, got, ok ? "ok" : "MISSED"]),
  ];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((each) => each[column].length)));
  return cells.map((each) => each.map((text, column) => text.padEnd(widths[column])).join("  ")).join("\n");
}

export function times(ratio) {
  return `${ratio.toFixed(2)} ×`;
}

export function us(value) {
  return `${value.toFixed(1)} µs`;
}

function ms(value) {
  return `${value.toFixed(0)} ms`;
}

function kb(value) {
  return `${value.toFixed(0)} KB`;
}
