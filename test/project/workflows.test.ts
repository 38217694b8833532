import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const root = resolve(import.meta.dirname, "../..");
const folder = join(root, ".github/workflows");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  engines: { node: string };
  scripts: Record<string, string>;
};

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly uses?: string;
        readonly needs?: string;
        readonly permissions?: Readonly<Record<string, string>>;
        readonly strategy?: { readonly matrix: { readonly os: string[]; readonly node: number[] } };
        readonly steps?: readonly Step[];
      }
    >
  >;
}

const texts = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
const workflows = new Map(texts.map(({ name, text }) => [name, parse(text) as Workflow]));
const steps = [...workflows].flatMap(([name, { jobs }]) =>
  Object.values(jobs).flatMap((job) => (job.steps ?? []).map((step) => ({ name, step }))),
);

describe("the workflows", () => {
  it("are the gate, the pages and the release", () => {
    expect([...workflows.keys()].toSorted()).toEqual(["docs.yml", "gate.yml", "release.yml"]);
  });

  it("pin each action by the hash of a commit, with the version it is beside it", () => {
    const lines = texts.flatMap(({ name, text }) =>
      text
        .split("\n")
        .filter((line) => /^\s*(?:- )?uses:/.test(line) && !line.includes("uses: ./"))
        .map((line) => `${name}: ${line.trim()}`),
    );

    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => !/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual(
      [],
    );
  });

  it("pin one action the same everywhere", () => {
    const pins = new Set(steps.flatMap(({ step }) => step.uses ?? []));
    const actions = [...pins].map((pin) => pin.split("@")[0]);

    expect(actions).toHaveLength(new Set(actions).size);
  });

  it("run the gate on three systems with every Node that the package supports", () => {
    const { matrix } = workflows.get("gate.yml")!.jobs["gate"]!.strategy!;

    expect(matrix.os).toEqual(["ubuntu-latest", "macos-latest", "windows-latest"]);
    expect(matrix.node).toEqual([20, 22, 24]);
    expect(manifest.engines.node).toMatch(new RegExp(`^>=${Math.min(...matrix.node)}\\b`));
    expect(steps.some(({ name, step }) => name === "gate.yml" && step.run === "bash .ci/run")).toBe(true);
  });

  it("name only scripts that package.json has", () => {
    const named = steps.flatMap(({ name, step }) =>
      [...(step.run ?? "").matchAll(/npm run ([\w:]+)/g)].map(([, script]) => ({ name, script: script! })),
    );

    expect(named.filter(({ script }) => manifest.scripts[script] === undefined)).toEqual([]);
  });

  it("give every workflow the right to read, and only the publishing jobs more", () => {
    for (const { permissions } of workflows.values()) expect(permissions).toEqual({ contents: "read" });
    const more = [...workflows].flatMap(([name, { jobs }]) =>
      Object.entries(jobs)
        .filter(([, { permissions }]) => Object.values(permissions ?? {}).includes("write"))
        .map(([job]) => `${name} ${job}`),
    );

    expect(more.toSorted()).toEqual(["docs.yml publish", "release.yml publish"]);
  });

  it("publish a tag only, after the gate, with provenance, and judged as packed", () => {
    const { on, jobs } = workflows.get("release.yml")!;
    const runs = jobs["publish"]!.steps!.flatMap(({ run }) => run ?? []);

    expect(on).toEqual({ push: { tags: ["v*"] } });
    expect(jobs["gate"]).toEqual({ uses: "./.github/workflows/gate.yml" });
    expect(jobs["publish"]!.needs).toBe("gate");
    expect(runs.at(-2)).toMatch(/^npm run release:check -- --tag/);
    expect(runs.at(-1)).toBe("npm publish --provenance --access public");
  });
});
