import { lineHeight } from "./layout.js";
import type { Layout, Point } from "./layout.js";

const style = `
  svg { --bg: #ffffff; --box: #f6f8fa; --deep: #eef2f7; --line: #8c959f; --text: #1f2328; --soft: #57606a; --edge: #6e7781;
    --usable: #dafbe1; --usable-line: #2da44e; --rest: #ddf4ff; --rest-line: #218bff; --care: #fff1d6; --care-line: #d4a72c;
    --end: #eaeef2; --end-line: #57606a; --node: #ffffff; }
  @media (prefers-color-scheme: dark) {
    svg { --bg: #0d1117; --box: #151b23; --deep: #1b222c; --line: #57606a; --text: #e6edf3; --soft: #9198a1; --edge: #8b949e;
      --usable: #12301c; --usable-line: #3fb950; --rest: #0c2d4d; --rest-line: #4493f8; --care: #33270b; --care-line: #d29922;
      --end: #262c36; --end-line: #9198a1; --node: #212830; } }
  .bg { fill: var(--bg); }
  .box { fill: var(--box); stroke: var(--line); stroke-dasharray: 5 4; }
  .box.deep { fill: var(--deep); }
  .state { fill: var(--node); stroke: var(--line); stroke-width: 1.4; }
  .usable { fill: var(--usable); stroke: var(--usable-line); }
  .resting { fill: var(--rest); stroke: var(--rest-line); }
  .care { fill: var(--care); stroke: var(--care-line); }
  .terminal { fill: var(--end); stroke: var(--end-line); stroke-width: 2.5; }
  text { font-family: ui-sans-serif, system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: var(--text); }
  .name { font-size: 14px; font-weight: 600; text-anchor: middle; }
  .runs { font-size: 10.5px; fill: var(--soft); text-anchor: middle; }
  .group { font-size: 13px; font-weight: 600; fill: var(--soft); }
  .edge { fill: none; stroke: var(--edge); stroke-width: 1.2; }
  .head, .dot { fill: var(--edge); }
  .label { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 10px;
    fill: var(--soft); paint-order: stroke; stroke: var(--bg); stroke-width: 3px; stroke-linejoin: round; }
`;

const careful = new Set(["closing", "stuck", "deciding", "draining", "reconnecting", "stopping"]);

/** The chart as a picture of its own: no scripts, no fonts to load, readable on light and dark ground. */
export function svgOf(layout: Layout): string {
  const { name, width, height, nodes, edges } = layout;
  const usable = new Set(nodes.filter(({ tags }) => tags.includes("usable")).map(({ id }) => id));
  const boxes = nodes.filter(({ kind }) => kind === "compound");
  const states = nodes.filter(({ kind }) => kind !== "compound");
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="States of the ${name} machine">`,
    `<title>States of the ${name} machine</title>`,
    `<style>${style}</style>`,
    `<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="head" d="M0 0.8 8 4 0 7.2z"/></marker></defs>`,
    `<rect class="bg" width="${width}" height="${height}" rx="8"/>`,
    ...boxes.map((node) => boxOf(node)),
    ...edges.map(({ points }) => `<path class="edge" marker-end="url(#head)" d="${pathOf(points)}"/>`),
    ...states.map((node) =>
      stateOf(
        node,
        node.id.split(".").some((_, i, all) => usable.has(all.slice(0, i).join("."))),
      ),
    ),
    ...nodes
      .filter(({ initial }) => initial)
      .map(({ x, y }) => `<circle class="dot" cx="${x}" cy="${y}" r="4.5"/>`),
    ...edges.map(({ labels, label }) => labelOf(labels, label)),
    "</svg>",
  ];
  return `${parts.join("\n")}\n`;
}

type Node = Layout["nodes"][number];

function boxOf({ id, name, x, y, width, height, invokes }: Node): string {
  const deep = id.includes(".") ? " deep" : "";
  const runs = invokes.length === 0 ? "" : ` · runs ${invokes.join(", ")}`;
  return (
    `<rect class="box${deep}" x="${x}" y="${y}" width="${width}" height="${height}" rx="10"/>` +
    `<text class="group" x="${x + 14}" y="${y + 22}">${escape(name + runs)}</text>`
  );
}

function stateOf(
  { name, x, y, width, height, invokes, tags, kind, description }: Node,
  inUsable: boolean,
): string {
  const look =
    kind === "final"
      ? "terminal"
      : inUsable
        ? "usable"
        : tags.includes("resting")
          ? "resting"
          : careful.has(name)
            ? "care"
            : "";
  const middle = x + width / 2;
  const line = invokes.length === 0 ? y + height / 2 + 5 : y + height / 2 - 2;
  const runs =
    invokes.length === 0
      ? ""
      : `<text class="runs" x="${middle}" y="${line + 15}">runs ${escape(invokes.join(", "))}</text>`;
  return (
    `<g><title>${escape(description)}</title>` +
    `<rect class="state ${look}" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>` +
    `<text class="name" x="${middle}" y="${line}">${escape(name)}</text>${runs}</g>`
  );
}

function labelOf(labels: readonly string[], { x, y }: Point): string {
  const lines = labels.map(
    (label, i) => `<tspan x="${x + 3}" y="${y + 11 + i * lineHeight}">${escape(label)}</tspan>`,
  );
  return `<text class="label">${lines.join("")}</text>`;
}

/** Straight pieces with rounded corners. */
function pathOf(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  const pieces = rest.map((point, i) => {
    const next = rest[i + 1];
    if (next === undefined) return `L${point.x} ${point.y}`;
    const before = points[i] ?? point;
    const from = toward(point, before);
    const to = toward(point, next);
    return `L${from.x} ${from.y}Q${point.x} ${point.y} ${to.x} ${to.y}`;
  });
  return `M${first.x} ${first.y}${pieces.join("")}`;
}

function toward(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const share = length === 0 ? 0 : Math.min(6, length / 2) / length;
  const part = (a: number, b: number) => Math.round((a + (b - a) * share) * 10) / 10;
  return { x: part(from.x, to.x), y: part(from.y, to.y) };
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
