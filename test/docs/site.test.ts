import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./blocks.js";

const docs = join(root, "docs");

it("puts each page of docs into one group of the site, and nothing else", async () => {
  const { groups } = (await import(join(docs, "site/.vitepress/groups.mjs"))) as {
    groups: Record<string, string[]>;
  };
  const grouped = Object.values(groups).flat();
  const pages = readdirSync(docs).filter((name) => name.endsWith(".md"));
  const folders = readdirSync(docs).filter(
    (name) => name !== "site" && statSync(join(docs, name)).isDirectory() && holdsPages(join(docs, name)),
  );

  expect(grouped.toSorted()).toEqual(
    [...pages.map((name) => name.slice(0, -3)), ...folders.map((name) => `${name}/`)].toSorted(),
  );
});

function holdsPages(folder: string): boolean {
  return readdirSync(folder).some((name) => name.endsWith(".md"));
}
