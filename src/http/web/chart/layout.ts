/** A laid-out chart: boxes and lines in one coordinate system, made before the page is built. */
export interface ChartLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly ChartNode[];
  readonly edges: readonly ChartEdge[];
}

export interface ChartNode {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** A frame around other states. */
  readonly group?: boolean;
  readonly description?: string;
}

export interface ChartEdge {
  readonly from: string;
  readonly to: string;
  /** Corners of the line, first and last on the borders. */
  readonly points: readonly (readonly [number, number])[];
}

const box = { width: 104, height: 34 };
const at = (id: string, x: number, y: number): ChartNode => ({ id, x, y, ...box });

const nodes: readonly ChartNode[] = [
  { id: "alive", x: 160, y: 12, width: 512, height: 150, group: true },
  at("disabled", 12, 24),
  at("idle", 12, 104),
  at("parked", 12, 204),
  at("retired", 12, 288),
  at("connecting", 176, 44),
  at("initializing", 304, 44),
  at("listing", 432, 44),
  at("ready", 556, 44),
  at("refreshing", 556, 116),
  at("reconnecting", 176, 204),
  at("deciding", 176, 288),
  at("closing", 370, 288),
  at("draining", 556, 204),
  at("stuck", 556, 288),
];

const pairs: readonly (readonly [string, string])[] = [
  ["disabled", "idle"],
  ["idle", "connecting"],
  ["connecting", "initializing"],
  ["initializing", "listing"],
  ["listing", "ready"],
  ["ready", "refreshing"],
  ["refreshing", "ready"],
  ["ready", "draining"],
  ["connecting", "closing"],
  ["initializing", "closing"],
  ["listing", "closing"],
  ["ready", "closing"],
  ["draining", "closing"],
  ["closing", "stuck"],
  ["closing", "deciding"],
  ["deciding", "reconnecting"],
  ["reconnecting", "connecting"],
  ["deciding", "idle"],
  ["deciding", "parked"],
  ["deciding", "retired"],
  ["parked", "connecting"],
];

export const layout: ChartLayout = {
  width: 684,
  height: 336,
  nodes,
  edges: pairs.map(([from, to]) => ({ from, to, points: straight(nodeOf(from), nodeOf(to)) })),
};

function nodeOf(id: string): ChartNode {
  const node = nodes.find((each) => each.id === id);
  if (node === undefined) throw new Error(`no state ${id} in the layout`);
  return node;
}

/** From border to border along the line between the middles. */
function straight(from: ChartNode, to: ChartNode): [number, number][] {
  return [border(from, to), border(to, from)];
}

function border(node: ChartNode, towards: ChartNode): [number, number] {
  const [x, y] = [node.x + node.width / 2, node.y + node.height / 2];
  const [dx, dy] = [towards.x + towards.width / 2 - x, towards.y + towards.height / 2 - y];
  const scale = Math.min(node.width / 2 / Math.abs(dx || 1e-9), node.height / 2 / Math.abs(dy || 1e-9));
  return [x + dx * scale, y + dy * scale];
}
