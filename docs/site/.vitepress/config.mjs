// The site: the pages of docs/ and the reference that typedoc makes, as scripts/docs.mjs lays them into pages/.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { groups } from "./groups.mjs";

const pages = fileURLToPath(new URL("../pages", import.meta.url));
if (!existsSync(`${pages}/reference`))
  throw new Error("there are no pages yet: run `npm run docs:build` in the root");

/** Names of the pages in a folder, without their ending. */
function namesIn(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => name.slice(0, -3));
}

function titleOf(name) {
  return /^# (.+)$/m.exec(readFileSync(`${pages}/${name}.md`, "utf8"))?.[1] ?? name;
}

function foldersIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

const guide = Object.entries(groups).map(([text, names]) => ({
  text,
  items: names
    .flatMap((name) => (name.endsWith("/") ? namesIn(`${pages}/${name}`).map((page) => name + page) : [name]))
    .map((name) => ({ text: titleOf(name), link: `/${name}` })),
}));

/** Doors of the package and what each exports. */
const reference = foldersIn(`${pages}/reference`)
  .toSorted(
    (one, other) => Number(other === "mcpvisor") - Number(one === "mcpvisor") || one.localeCompare(other),
  )
  .map((door) => ({
    text: door === "mcpvisor" ? door : `mcpvisor/${door}`,
    link: `/reference/${door}/`,
    collapsed: true,
    items: foldersIn(`${pages}/reference/${door}`)
      .flatMap((kind) =>
        namesIn(`${pages}/reference/${door}/${kind}`).map((name) => ({
          text: name,
          link: `/reference/${door}/${kind}/${name}`,
        })),
      )
      .toSorted((one, other) => one.text.localeCompare(other.text)),
  }));

/** Links to files that are no pages: a reader of the site gets the file's name. */
const outside =
  /^\.\.?\/(?:(?:\.\.\/)?(?:src|test|scripts|schema|bench|examples|LICENSE|SECURITY|CONTRIBUTING|CHANGELOG|README))/;

function withoutOutside(md) {
  md.core.ruler.push("outside", ({ tokens }) => {
    for (const { children } of tokens) {
      for (const [at, link] of (children ?? []).entries()) {
        if (link.type !== "link_open" || !outside.test(link.attrGet("href") ?? "")) continue;
        const end = children.findIndex((each, later) => later > at && each.type === "link_close");
        for (const tag of [link, children[end]])
          Object.assign(tag, { type: "text", content: "", nesting: 0 });
      }
    }
  });
}

export default defineConfig({
  title: "mcpvisor",
  description: "Keeps a fleet of MCP servers alive and offers their tools to agents.",
  lang: "en",
  srcDir: "pages",
  outDir: ".vitepress/dist",
  cleanUrls: true,
  lastUpdated: false,
  // Dead links are errors, which is what VitePress does unless it is told otherwise.
  ignoreDeadLinks: false,
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  markdown: { config: withoutOutside },
  themeConfig: {
    nav: [
      { text: "Guide", link: "/configuration", activeMatch: "^/(?!reference)" },
      { text: "Reference", link: "/reference/", activeMatch: "^/reference/" },
    ],
    sidebar: { "/reference/": reference, "/": guide },
    outline: [2, 3],
    search: { provider: "local" },
    docFooter: { prev: "Before", next: "Next" },
  },
});
