/** Runs `count` calls with `inFlight` of them open at any time; user and system CPU and wall time per call, in µs. */
export async function block(call, count, inFlight) {
  let left = count;
  const lane = async () => {
    while (left-- > 0) await call();
  };
  const cpu = process.cpuUsage();
  const start = performance.now();
  await Promise.all(Array.from({ length: inFlight }, lane));
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { cpu: (user + system) / count, wall: (wallMs * 1000) / count };
}

/** Calls one after another, with the middle of their times in µs besides. */
export async function sequence(call, count) {
  const times = [];
  const each = async () => {
    const start = performance.now();
    await call();
    times.push((performance.now() - start) * 1000);
  };
  return { ...(await block(each, count, 1)), p50: median(times), p99: quantile(times, 0.99) };
}

/** Alternates short blocks A B B A; gives the medians of B ÷ A over neighbours, and the medians of both. */
export async function pair(runA, runB, rounds) {
  const a = [];
  const b = [];
  for (let round = 0; round < rounds; round++) {
    a.push(await runA());
    b.push(await runB());
    b.push(await runB());
    a.push(await runA());
  }
  const keys = Object.keys(a[0]);
  const of = (pick) => Object.fromEntries(keys.map((key) => [key, median(pick(key))]));
  return {
    a: of((key) => a.map((each) => each[key])),
    b: of((key) => b.map((each) => each[key])),
    ratio: of((key) => a.map((each, at) => b[at][key] / each[key])),
  };
}

export function median(values) {
  return quantile(values, 0.5);
}

export function quantile(values, share) {
  const sorted = values.toSorted((x, y) => x - y);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
