const width = 640;
const height = 360;
const frame = { left: 64, right: 130, top: 40, bottom: 48 };
const colours = ["#8c959f", "#2da44e", "#cf222e", "#bf8700", "#8250df", "#0969da", "#bc4c00", "#d4619d"];
const style = `
  svg { --bg: #ffffff; --text: #1f2328; --grid: #d8dee4; }
  @media (prefers-color-scheme: dark) { svg { --bg: #0d1117; --text: #e6edf3; --grid: #30363d; } }
  .bg { fill: var(--bg); } .grid { stroke: var(--grid); } .line { fill: none; stroke-width: 2; }
  text { font: 12px ui-sans-serif, system-ui, Helvetica, Arial, sans-serif; fill: var(--text); }
  .title { font-size: 14px; font-weight: 600; }`;

/** Lines over two logarithmic axes; `series` holds points [x, y] by name. A picture of its own, without scripts. */
export function draw({ title, x, y, series }) {
  const points = Object.values(series).flat();
  const toX = axis(
    points.map((each) => each[0]),
    frame.left,
    width - frame.right,
  );
  const toY = axis(
    points.map((each) => each[1]),
    height - frame.bottom,
    frame.top,
  );
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}">`,
    `<title>${title}</title><style>${style}</style><rect class="bg" width="${width}" height="${height}" rx="8"/>`,
    `<text class="title" x="${frame.left}" y="22">${title}</text>`,
    ...toX.ticks.map((tick) => {
      const at = toX.place(tick);
      return (
        `<line class="grid" x1="${at}" x2="${at}" y1="${frame.top}" y2="${height - frame.bottom}"/>` +
        `<text x="${at}" y="${height - frame.bottom + 18}" text-anchor="middle">${short(tick)}</text>`
      );
    }),
    ...toY.ticks.map((tick) => {
      const at = toY.place(tick);
      return (
        `<line class="grid" x1="${frame.left}" x2="${width - frame.right}" y1="${at}" y2="${at}"/>` +
        `<text x="${frame.left - 8}" y="${at + 4}" text-anchor="end">${short(tick)}</text>`
      );
    }),
    `<text x="${(frame.left + width - frame.right) / 2}" y="${height - 10}" text-anchor="middle">${x}</text>`,
    `<text x="${frame.left - 8}" y="${frame.top - 8}" text-anchor="end">${y}</text>`,
    ...Object.entries(series).map(([name, all], at) => lineOf(name, all, colours[at % colours.length], at)),
    "</svg>",
  ];
  return `${parts.join("\n")}\n`;

  function lineOf(name, all, colour, at) {
    const path = all
      .map((each, i) => `${i === 0 ? "M" : "L"}${toX.place(each[0])} ${toY.place(each[1])}`)
      .join("");
    const dots = all
      .map((each) => `<circle cx="${toX.place(each[0])}" cy="${toY.place(each[1])}" r="3"/>`)
      .join("");
    const row = frame.top + 14 + at * 18;
    const key = width - frame.right + 14;
    return (
      `<path class="line" stroke="${colour}" d="${path}"/><g fill="${colour}">${dots}` +
      `<rect x="${key}" y="${row - 8}" width="12" height="4"/></g><text x="${key + 18}" y="${row}">${name}</text>`
    );
  }
}

/** A logarithmic scale with a tick at each power of ten, or at 1, 2 and 5 of it when there are few. */
function axis(values, from, to) {
  const low = Math.log10(Math.min(...values));
  const high = Math.log10(Math.max(...values));
  const span = high - low || 1;
  const steps = span > 2 ? [1] : [1, 2, 5];
  const ticks = [];
  for (let power = Math.floor(low); power <= Math.ceil(high); power++) {
    for (const step of steps) {
      const tick = step * 10 ** power;
      if (Math.log10(tick) >= low - 0.01 && Math.log10(tick) <= high + 0.01) ticks.push(tick);
    }
  }
  const place = (value) => Math.round((from + ((Math.log10(value) - low) / span) * (to - from)) * 10) / 10;
  return { ticks, place };
}

function short(value) {
  if (value >= 1e6) return `${value / 1e6}M`;
  return value >= 1e3 ? `${value / 1e3}k` : String(Number(value.toPrecision(2)));
}
