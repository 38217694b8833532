import { readFileSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { statesDocs } from "../../scripts/states.js";

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

  it("draws every state of the server, none on top of another in the same box", () => {
    const { server } = JSON.parse(docs["states.json"] ?? "{}") as { server: { nodes: Placed[] } };

    expect(server.nodes.length).toBeGreaterThan(18);
    const siblings = server.nodes.flatMap((a) =>
      server.nodes.filter((b) => a.id < b.id && a.parent === b.parent).map((b) => [a, b] as const),
    );
    expect(siblings.filter(([a, b]) => overlap(a, b)).map(([a, b]) => [a.id, b.id])).toEqual([]);
  });
});

interface Placed {
  readonly id: string;
  readonly parent?: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function overlap(a: Placed, b: Placed): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
