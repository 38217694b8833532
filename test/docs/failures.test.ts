import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { isServerFailure } from "../../src/index.js";
import type { CauseKind, FailureKind } from "../../src/index.js";
import { adviceFor } from "../../src/policy/advice.js";
import { causeTable } from "../../src/policy/causes.js";
import type { CauseRow } from "../../src/policy/causes.js";
import { root } from "./blocks.js";

const file = join(root, "docs/failures.md");

/** The words of a union of texts in the source, each with its comment. */
function wordsOf(path: string, type: string): [string, string][] {
  const source = readFileSync(join(root, path), "utf8");
  const start = source.indexOf(`export type ${type} =`);
  const body = source.slice(start, source.indexOf(";\n\n", start));
  return [...body.matchAll(/\/\*\* (.+?) \*\/\s+\| "([\w-]+)"/g)].map(([, about, word]) => [word!, about!]);
}

const causes = wordsOf("src/causes.ts", "CauseKind") as [CauseKind, string][];
const failures = wordsOf("src/errors.ts", "FailureKind") as [FailureKind, string][];

/** When a new life is tried after a life has ended of it. */
function triesAgain({ permanent, restartAfter, passes, counts }: CauseRow): string {
  if (permanent) return "no: parked until something changes";
  if (restartAfter === "never") return "no";
  if (passes === "always")
    return restartAfter === "retry-after"
      ? "when the server says so, for as long as it lasts"
      : "for as long as it lasts";
  const usual = counts === "always" ? "five times, then parked" : "at once";
  if (passes === "early")
    return `for as long as it lasts, of a process that ended in its first 10 s; else ${usual}`;
  return passes === "remote" ? `over HTTP for as long as it lasts; else ${usual}` : usual;
}

const isEnd = ([kind]: [CauseKind, string]): boolean =>
  causeTable[kind].counts !== "never" || causeTable[kind].permanent || kind === "removed";
const nothing = "nothing";
const cell = (text: string): string => text.replaceAll("|", "\\|");

const tables: Record<string, string> = {
  failures: [
    "| `failure.kind` | what it means | fault of the server |",
    "| --- | --- | --- |",
    ...failures.map(
      ([kind, about]) =>
        `| <a id="${kind}"></a>\`${kind}\` | ${cell(about)} | ${isServerFailure(kind) ? "yes" : "no"} |`,
    ),
  ].join("\n"),
  causes: [
    "| `cause.kind` | what happened | tried again | what to do |",
    "| --- | --- | --- | --- |",
    ...causes.filter(isEnd).map(([kind, about]) => {
      const advice = adviceFor({ kind, message: "" }, nothing);
      const todo = advice === nothing ? "see its message and the last lines of its stderr" : advice;
      const what = about.replace(/ Permanent\.$/, "");
      return `| <a id="cause-${kind}"></a>\`${kind}\` | ${cell(what)} | ${triesAgain(causeTable[kind])} | ${cell(todo)} |`;
    }),
  ].join("\n"),
  changes: [
    "| `cause.kind` | what happened |",
    "| --- | --- |",
    ...causes
      .filter((each) => !isEnd(each))
      .map(([kind, about]) => `| <a id="cause-${kind}"></a>\`${kind}\` | ${cell(about)} |`),
  ].join("\n"),
};

function filled(text: string): string {
  return Object.entries(tables).reduce(
    (page, [name, table]) =>
      page.replace(
        new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(\\n<!-- end of ${name} -->)`),
        (_, begin: string, end: string) => `${begin}\n${table}\n${end}`,
      ),
    text,
  );
}

// UPDATE_DOCS=1 writes the tables instead of judging them.
beforeAll(() => {
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(file, filled(readFileSync(file, "utf8")));
});

describe("the page of failures", () => {
  it("has every kind of failure and every cause of the code, as they are", () => {
    const page = readFileSync(file, "utf8");
    expect(filled(page)).toBe(page);
    for (const name of Object.keys(tables)) expect(page).toContain(`<!-- end of ${name} -->`);
  });

  it("finds all of them in the source, each once", () => {
    expect(causes.map(([kind]) => kind).toSorted()).toEqual(Object.keys(causeTable).toSorted());
    expect(failures).toHaveLength(12);
    expect(new Set(failures.map(([kind]) => kind)).size).toBe(12);
  });
});
