import { readFileSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { statesDocs } from "../../scripts/states.js";
import { createServerMachine } from "../../src/machines/server.js";
import { createSupervisorMachine } from "../../src/machines/supervisor.js";

const folder = new URL("../../docs/", import.meta.url);
const names = ["states.md", "states.svg", "states-supervisor.svg", "states.json"];
let docs: Record<string, string> = {};

// UPDATE_DOCS=1 (npm run docs:states) writes the files instead of judging them.
beforeAll(async () => {
  docs = await statesDocs();
  if (process.env["UPDATE_DOCS"] !== "1") return;
  for (const [name, text] of Object.entries(docs)) writeFileSync(new URL(name, folder), text);
});

describe("the pages about states", () => {
  it.each(names)("docs/%s is what the machines are (else: npm run docs:states)", (name) => {
    expect(docs[name]?.length).toBeGreaterThan(1_000);
    expect(readFileSync(new URL(name, folder), "utf8") === docs[name]).toBe(true);
  });

  it("say of every state of the machines what it means, and of every step from which to which", () => {
    const page = docs["states.md"] ?? "";
    const server = createServerMachine({ now: () => 0, random: () => 0 });
    const nodes = [server, createSupervisorMachine(server)].flatMap((machine) => nodesOf(machine.root));
    const missing = nodes.flatMap((node) => {
      const id = node.path.join(".");
      const targets = [...node.transitions.values()].flat().flatMap(({ target }) => target ?? []);
      return [
        ...(page.includes(`| \`${id}\` | ${node.description?.replaceAll("|", "\\|")} |`) ? [] : [id]),
        ...targets
          .map((target) => `| \`${id}\` | \`${target.path.join(".")}\` |`)
          .filter((row) => !page.includes(row)),
      ];
    });

    expect(nodes.length).toBeGreaterThan(25);
    expect(missing).toEqual([]);
  });

  it.each(["server", "supervisor"] as const)(
    "name every state of the %s in its picture, inside of what it belongs to",
    (name) => {
      const { [name]: chart } = JSON.parse(docs["states.json"] ?? "{}") as Record<string, Drawn>;
      const picture = docs[name === "server" ? "states.svg" : "states-supervisor.svg"] ?? "";
      const nodes = chart?.nodes ?? [];
      const boxOf = new Map(nodes.map((node) => [node.id, node]));

      expect(nodes.filter((node) => !picture.includes(`>${node.name}<`))).toEqual([]);
      expect(
        nodes.filter((node) => !holds(boxOf.get(node.parent ?? "") ?? { ...chart!, x: 0, y: 0 }, node)),
      ).toEqual([]);
      // A line begins at the state it leads from and ends at the one it leads to.
      const loose = (chart?.edges ?? []).filter(
        ({ from, to, points }) =>
          !touches(boxOf.get(from)!, points[0]!) || !touches(boxOf.get(to)!, points.at(-1)!),
      );
      expect(loose.map(({ from, to }) => `${from} > ${to}`)).toEqual([]);
    },
  );

  it("draws every state of the server, none on top of another in the same box", () => {
    const { server } = JSON.parse(docs["states.json"] ?? "{}") as { server: { nodes: Placed[] } };

    expect(server.nodes.length).toBeGreaterThan(18);
    const siblings = server.nodes.flatMap((a) =>
      server.nodes.filter((b) => a.id < b.id && a.parent === b.parent).map((b) => [a, b] as const),
    );
    expect(siblings.filter(([a, b]) => overlap(a, b)).map(([a, b]) => [a.id, b.id])).toEqual([]);
  });
});

interface Node {
  readonly path: string[];
  readonly description?: string | undefined;
  readonly states: Readonly<Record<string, Node>>;
  readonly transitions: Map<
    string,
    { readonly target?: readonly { readonly path: string[] }[] | undefined }[]
  >;
}

/** The states of a machine as XState has them, but for the machine itself. */
function nodesOf(node: Node): Node[] {
  return Object.values(node.states).flatMap((each) => [each, ...nodesOf(each)]);
}

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly Placed[];
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly points: readonly Point[];
  }[];
}

type Box = Omit<Placed, "id" | "name">;

function holds(outer: Box, inner: Box): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

/** Whether a point lies on the edge of a box, within a pixel. */
function touches({ x, y, width, height }: Box, point: Point): boolean {
  const inside = (by: number): boolean =>
    point.x >= x - by && point.x <= x + width + by && point.y >= y - by && point.y <= y + height + by;
  return inside(1) && !inside(-1);
}

interface Placed {
  readonly id: string;
  readonly name: string;
  readonly parent?: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function overlap(a: Placed, b: Placed): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
