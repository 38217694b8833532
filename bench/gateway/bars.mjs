const width = 640;
const left = 16;
const rowHeight = 46;
const style = `
  svg { --bg: #ffffff; --text: #1f2328; --bar: #0969da; }
  @media (prefers-color-scheme: dark) { svg { --bg: #0d1117; --text: #e6edf3; --bar: #4493f8; } }
  .bg { fill: var(--bg); } .bar { fill: var(--bar); }
  text { font: 12px ui-sans-serif, system-ui, Helvetica, Arial, sans-serif; fill: var(--text); }
  .title { font-size: 14px; font-weight: 600; }`;

/** Bars from zero, each under its name; `rows` are [name, value]. A picture of its own, without scripts. */
export function draw(title, rows) {
  const most = Math.max(...rows.map(([, value]) => value));
  const height = 44 + rows.length * rowHeight;
  const bars = rows.map(([name, value], at) => {
    const y = 52 + at * rowHeight;
    const length = Math.max(2, Math.round((value / most) * (width - left - 80)));
    return (
      `<text x="${left}" y="${y}">${name}</text><rect class="bar" x="${left}" y="${y + 6}" width="${length}" height="14" rx="2"/>` +
      `<text x="${left + length + 8}" y="${y + 17}">${value}</text>`
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}">
<title>${title}</title><style>${style}</style><rect class="bg" width="${width}" height="${height}" rx="8"/>
<text class="title" x="${left}" y="26">${title}</text>
${bars.join("\n")}
</svg>
`;
}
