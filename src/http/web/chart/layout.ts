import type { Chart, ChartBox, ChartFrame, ChartLine } from "./shape.js";

/** The part of docs/states.json that is read: the chart of a server as the machine itself has it. */
export interface MachineChart {
  readonly nodes: readonly { readonly id: string; readonly name: string; readonly description: string }[];
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly labels: readonly string[];
  }[];
}

type Point = readonly [number, number];

const [width, height] = [104, 34];
const rows = { alive: 42, second: 110, bottom: 286 };

/** Where each state stands: resting ones at the left, a life from left to right at the top, its end below. */
const places: Readonly<Record<string, Point>> = {
  disabled: [22, 40],
  idle: [22, 84],
  reconnecting: [22, 128],
  parked: [22, 172],
  authorizing: [22, 216],
  retired: [22, rows.bottom],
  connecting: [216, rows.alive],
  initializing: [340, rows.alive],
  listing: [464, rows.alive],
  ready: [588, rows.alive],
  refreshing: [340, rows.second],
  draining: [464, rows.second],
  replacing: [588, rows.second],
  deciding: [216, rows.bottom],
  closing: [402, rows.bottom],
  stuck: [588, rows.bottom],
};

const frames: readonly ChartFrame[] = [
  {
    id: "resting",
    x: 10,
    y: 10,
    width: 128,
    height: 252,
    states: ["disabled", "idle", "reconnecting", "parked", "authorizing"],
  },
  {
    id: "alive",
    x: 200,
    y: 10,
    width: 506,
    height: 148,
    states: ["connecting", "initializing", "listing", "ready", "refreshing", "draining", "replacing"],
  },
];

/** The chart of the machine with inner steps folded into the states that hosts see. */
export function layOut(machine: MachineChart): Chart {
  return { width: 716, height: rows.bottom + 46, boxes: boxesOf(machine), frames, lines: linesOf(machine) };
}

function boxesOf({ nodes }: MachineChart): ChartBox[] {
  return Object.entries(places).map(([id, [x, y]]) => {
    const node = nodes.find((each) => each.name === id);
    if (node === undefined)
      throw new Error(`the machine has no state ${id}: bring chart/layout.ts up to date`);
    return { id, x, y, width, height, description: node.description };
  });
}

function linesOf({ edges }: MachineChart): ChartLine[] {
  const labels = new Map<string, string[]>();
  for (const edge of edges) {
    const pair = pairOf(edge.from, edge.to);
    if (pair === undefined) continue;
    labels.set(pair, [...(labels.get(pair) ?? []), ...edge.labels]);
  }
  return [...labels].map(([pair, texts]) => {
    const [from = "", to = ""] = pair.split(" ");
    return { from, to, labels: [...new Set(texts)], points: routeOf(from, to) };
  });
}

/** `from to` as drawn; undefined for steps that stay inside one drawn state. */
function pairOf(from: string, to: string): string | undefined {
  const target = to === "alive" ? "connecting" : to === "alive.serving" ? "ready" : seen(to);
  // Every state of a life can end in closing: one line from the frame says it.
  const source = from.startsWith("alive") && target === "closing" ? "alive" : seen(from);
  // What all resting states share is drawn once, unless some have a line of their own to the same place.
  if (source === target || (source === "resting" && target === "connecting")) return undefined;
  return `${source} ${target}`;
}

function seen(id: string): string {
  if (id.startsWith("alive.serving.ready") || id === "alive.serving") return "ready";
  if (id.startsWith("alive.serving.replacing") || id === "succeeding") return "replacing";
  return id.split(".").at(-1) ?? id;
}

/** Ways along two rails between the resting states and the rest; everything else is straight. */
function routeOf(from: string, to: string): Point[] {
  const resting = frames[0]?.states ?? [];
  if (resting.includes(from) && to === "connecting") return risingTo(from);
  if (from === "deciding" && resting.includes(to)) return fallingTo(to);
  if (resting.includes(from) && to === "deciding") return fallingTo(from).toReversed();
  if (from === "parked" && to === "idle") return loopLeft(from, to, 6);
  if (from === "authorizing" && to === "idle") return loopLeft(from, to, 10);
  if (from === "parked" && to === "authorizing") return shifted(straight(from, to), -14);
  if (from === "authorizing" && to === "parked") return shifted(straight(from, to), 14);
  if (from === "reconnecting" && to === "idle") return shifted(straight(from, to), -14);
  if (from === "idle" && to === "reconnecting") return shifted(straight(from, to), 14);
  if (from === "closing" && to === "stuck") return straight(from, to).map(([x, y]): Point => [x, y - 7]);
  if (from === "stuck" && to === "closing") return straight(from, to).map(([x, y]): Point => [x, y + 7]);
  return straight(from, to);
}

function risingTo(from: string): Point[] {
  const y = middle(from)[1] - 7;
  const [, top] = middle("connecting");
  return [
    [right(from), y],
    [178, y],
    [178, top],
    [216, top],
  ];
}

function fallingTo(to: string): Point[] {
  const y = middle(to)[1] + 7;
  return [
    [240, rows.bottom],
    [240, rows.bottom - 16],
    [156, rows.bottom - 16],
    [156, y],
    [right(to), y],
  ];
}

/** Around the states between the two, so far from their edge. */
function loopLeft(from: string, to: string, by: number): Point[] {
  const [start, end] = [middle(from), middle(to)];
  const left = start[0] - width / 2;
  return [
    [left, start[1]],
    [left - by, start[1]],
    [left - by, end[1]],
    [left, end[1]],
  ];
}

function shifted(points: readonly Point[], by: number): Point[] {
  return points.map(([x, y]): Point => [x + by, y]);
}

function straight(from: string, to: string): Point[] {
  const frame = frames.find((each) => each.id === from);
  if (frame === undefined) return [border(from, to), border(to, from)];
  const [x] = middle(to);
  return [
    [x, frame.y + frame.height],
    [x, places[to]?.[1] ?? 0],
  ];
}

function border(of: string, towards: string): Point {
  const [x, y] = middle(of);
  const [otherX, otherY] = middle(towards);
  const [dx, dy] = [otherX - x, otherY - y];
  const scale = Math.min(width / 2 / Math.abs(dx || 1e-9), height / 2 / Math.abs(dy || 1e-9));
  return [Math.round(x + dx * scale), Math.round(y + dy * scale)];
}

function middle(id: string): Point {
  const [x, y] = places[id] ?? [0, 0];
  return [x + width / 2, y + height / 2];
}

function right(id: string): number {
  return (places[id]?.[0] ?? 0) + width;
}
