import ElkConstructor from "elkjs/lib/elk.bundled.js";
import type { ElkExtendedEdge, ElkNode } from "elkjs/lib/elk-api.js";
import type { Chart, ChartEdge, ChartNode } from "./chart.js";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A chart with places, in pixels from the upper left corner. */
export interface Layout {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly (ChartNode & Point & { readonly width: number; readonly height: number })[];
  readonly edges: readonly (ChartEdge & { readonly points: readonly Point[]; readonly label: Point })[];
}

export const lineHeight = 14;
const labelCharacter = 6.1;
const nameCharacter = 8;

const options = {
  "elk.algorithm": "layered",
  "elk.direction": "DOWN",
  "elk.hierarchyHandling": "INCLUDE_CHILDREN",
  "elk.edgeRouting": "ORTHOGONAL",
  "elk.randomSeed": "1",
  "elk.spacing.nodeNode": "36",
  "elk.spacing.edgeNode": "18",
  "elk.spacing.edgeEdge": "14",
  "elk.spacing.edgeLabel": "4",
  "elk.layered.spacing.nodeNodeBetweenLayers": "34",
  "elk.layered.spacing.edgeNodeBetweenLayers": "16",
  "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
  "elk.edgeLabels.inline": "false",
  "elk.padding": "[top=24,left=24,bottom=24,right=24]",
};
const inBox = { "elk.padding": "[top=40,left=20,bottom=20,right=20]" };

/** Places all states and arrows; the same chart always gives the same layout. */
export async function layout(chart: Chart): Promise<Layout> {
  const elk = new ElkConstructor.default();
  const graph: ElkNode = {
    id: "root",
    layoutOptions: options,
    children: boxes(chart, undefined),
    edges: chart.edges.map(edgeOf),
  };
  const placed = await elk.layout(graph);
  const at = new Map<string, Point & { width: number; height: number }>();
  collect(placed, { x: 0, y: 0 }, at);
  return {
    name: chart.name,
    width: Math.ceil(placed.width ?? 0),
    height: Math.ceil(placed.height ?? 0),
    nodes: chart.nodes.map((node) => ({ ...node, ...(at.get(node.id) ?? nowhere) })),
    edges: chart.edges.map((edge, i) => ({ ...edge, ...placeOf(placed.edges?.[i], at) })),
  };
}

const nowhere = { x: 0, y: 0, width: 0, height: 0 };

function boxes(chart: Chart, parent: string | undefined): ElkNode[] {
  return chart.nodes
    .filter((node) => node.parent === parent)
    .map((node) =>
      node.kind === "compound"
        ? { id: node.id, layoutOptions: inBox, children: boxes(chart, node.id) }
        : {
            id: node.id,
            width: Math.max(96, node.name.length * nameCharacter + 30),
            height: node.invokes.length > 0 ? 50 : 38,
          },
    );
}

function edgeOf({ from, to, labels }: ChartEdge, i: number): ElkExtendedEdge {
  const width = Math.max(...labels.map((label) => label.length)) * labelCharacter + 6;
  return {
    id: `edge-${i}`,
    sources: [from],
    targets: [to],
    labels: [{ text: labels.join("\n"), width, height: labels.length * lineHeight + 4 }],
  };
}

function collect(
  node: ElkNode,
  from: Point,
  at: Map<string, Point & { width: number; height: number }>,
): void {
  for (const child of node.children ?? []) {
    const place = { x: round(from.x + (child.x ?? 0)), y: round(from.y + (child.y ?? 0)) };
    at.set(child.id, { ...place, width: round(child.width ?? 0), height: round(child.height ?? 0) });
    collect(child, place, at);
  }
}

function placeOf(
  edge: ElkExtendedEdge | undefined,
  at: Map<string, Point>,
): { points: Point[]; label: Point } {
  // Coordinates of an edge count from the box that contains it.
  const container = (edge as { container?: string } | undefined)?.container;
  const { x, y } = at.get(container ?? "") ?? { x: 0, y: 0 };
  const section = edge?.sections?.[0];
  const points =
    section === undefined ? [] : [section.startPoint, ...(section.bendPoints ?? []), section.endPoint];
  const label = edge?.labels?.[0];
  const moved = (point: Point) => ({ x: round(x + point.x), y: round(y + point.y) });
  return { points: points.map(moved), label: moved({ x: label?.x ?? 0, y: label?.y ?? 0 }) };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
