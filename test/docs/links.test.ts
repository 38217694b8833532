import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { wrongCommand } from "./commands.js";
import { pages, root, spans } from "./blocks.js";

const path = /^(?:src|test|docs|scripts|bench|examples|schema|\.ci|\.github)\/[\w./-]+$/;

describe("the pages", () => {
  it("name only files and folders that there are", () => {
    // What a run leaves behind is not there before it.
    const left = readFileSync(join(root, ".gitignore"), "utf8").split("\n");
    const named = spans.filter(({ text }) => path.test(text) && !left.includes(`${text}/`));

    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(({ text }) => !existsSync(join(root, text)))).toEqual([]);
  });

  it("link only to files that there are", () => {
    const dead = [...pages].flatMap(([page, text]) =>
      [...text.matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, link]) => link!.split("#")[0]!)
        .filter((link) => link !== "" && !/^[a-z]+:/.test(link))
        .filter((link) => !existsSync(join(root, normalize(join(dirname(page), link)))))
        .map((link) => `${page}: ${link}`),
    );

    expect(dead).toEqual([]);
  });

  it("mention only scripts that there are", () => {
    const wrong = spans
      .filter(
        ({ text }) => /^(?:npm|npx) /.test(text) && !text.includes("npm audit") && !text.includes("npm pack"),
      )
      .map(({ place, text }) => ({ place, text, wrong: wrongCommand(text.split(/\s+&&\s+/)[0]!.split(" ")) }))
      .filter((each) => each.wrong !== undefined);

    expect(wrong).toEqual([]);
  });
});
