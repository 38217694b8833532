import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseConfig } from "../../src/config/dialects/parse.js";
import { readJsonc } from "../../src/config/files/jsonc.js";
import { type Block, blocks, root, spans } from "./blocks.js";
import { wrongCommand, wrongMention } from "./commands.js";
import { commandsOf } from "./shell.js";
import { complaintsOf } from "./types.js";

const code = new Set(["js", "ts"]);
const data = new Set(["json", "jsonc"]);
/** Languages that a test here does something with; `text` is what a program prints. */
const known = new Set([...code, ...data, "sh", "yaml", "text"]);

/** A block that the compiler must refuse, or it has looked at nothing. */
const wrongBlock: Block = {
  page: "wrong",
  place: "wrong",
  language: "ts",
  excerpt: false,
  run: false,
  output: false,
  text: 'import { createSupervisor } from "mcpvisor";\ncreateSupervisor({ homme: 1 });',
};

describe("the pages", () => {
  it("have blocks that a test knows how to judge, or that say they are excerpts", () => {
    const others = blocks.filter(({ language, excerpt }) => !known.has(language) && !excerpt);

    expect(blocks.length).toBeGreaterThan(20);
    expect(others.map(({ place, language }) => `${place} ${language}`)).toEqual([]);
  });

  it("show commands that the command line takes", () => {
    const wrong = blocks
      .filter(({ language, excerpt }) => language === "sh" && !excerpt)
      .flatMap(({ place, text }) =>
        text.split("\n").flatMap((line) =>
          commandsOf(line)
            .map((words) => ({ place, line, wrong: wrongCommand(words) }))
            .filter((each) => each.wrong !== undefined),
        ),
      );

    expect(wrong).toEqual([]);
  });

  it("mention only commands and flags that there are", () => {
    const wrong = spans
      .filter(({ text }) => text.startsWith("mcpvisor "))
      .map(({ place, text }) => ({ place, text, wrong: wrongMention(text) }))
      .filter((each) => each.wrong !== undefined);

    expect(wrong).toEqual([]);
  });

  it("show configuration without a problem", () => {
    const wrong = blocks
      .filter(({ language }) => data.has(language))
      .flatMap((block) => problemsOf(block).map((problem) => `${block.place}: ${problem}`));

    expect(wrong).toEqual([]);
  });

  it("show YAML that can be read", () => {
    const texts = blocks.flatMap(({ language, text }) => (language === "yaml" ? [text] : []));

    expect(texts.filter((text) => !parse(text))).toEqual([]);
  });

  it("show code, excerpts too, that the compiler takes (after npm run build)", { timeout: 120_000 }, () => {
    const complaints = complaintsOf([...blocks.filter(({ language }) => code.has(language)), wrongBlock]);

    expect(complaints).toEqual([expect.stringMatching(/^wrong: .*homme/)]);
  });
});

describe("a line of a shell", () => {
  it("is taken apart into its commands", () => {
    expect(commandsOf("npm ci && npm start   # both")).toEqual([
      ["npm", "ci"],
      ["npm", "start"],
    ]);
    expect(commandsOf(`A=1 echo '{"a": "b"}' | mcpvisor call x - --json`)).toEqual([
      ["echo", '{"a": "b"}'],
      ["mcpvisor", "call", "x", "-", "--json"],
    ]);
    expect(commandsOf("source <(mcpvisor completion bash)")).toEqual([
      ["mcpvisor", "completion", "bash"],
      ["source", "<()"],
    ]);
  });

  it("is refused for what the command line has not", () => {
    expect(wrongCommand(["mcpvisor", "upp"])).toMatch(/unknown command/);
    expect(wrongCommand(["mcpvisor", "up", "--onse"])).toMatch(/unknown option/);
    expect(wrongCommand(["npm", "run", "nothing"])).toBeDefined();
    expect(wrongCommand(["node", "nowhere.mjs"])).toBeDefined();
    expect(wrongCommand(["rm", "-rf", "/"])).toBeDefined();
    expect(wrongMention("mcpvisor upp")).toBeDefined();
    expect(wrongMention("mcpvisor up --onse")).toBeDefined();
  });
});

/** A whole file has to be configuration of ours without a word against it; an excerpt has to be JSON with comments. */
function problemsOf({ text, language, excerpt }: Block): string[] {
  const source = readJsonc(text);
  if (!source.ok) return ["is no JSON"];
  if (language === "json") JSON.parse(text);
  if (excerpt) return [];
  // Something stands for every variable that the block names.
  const env = Object.fromEntries([...text.matchAll(/[A-Z_]{3,}/g)].map(([name]) => [name, "a-value"]));
  const context = { node: process.execPath, python: "python3", home: "/home", workspace: "/work", env };
  const { entries, problems } = parseConfig(text, { ...context, file: join(root, "page.json") });
  return entries.length === 0
    ? ["is no configuration; mark it as an excerpt"]
    : problems.map(({ message }) => message);
}
