import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";

const folder = resolve(import.meta.dirname, "../../.github/ISSUE_TEMPLATE");

interface Form {
  readonly name?: string;
  readonly description?: string;
  readonly body?: readonly { readonly type: string; readonly id?: string; readonly attributes: object }[];
}

const forms = readdirSync(folder)
  .filter((name) => name !== "config.yml")
  .map((name) => ({ name, form: parse(readFileSync(join(folder, name), "utf8")) as Form }));

// A form without these is not offered to anybody, and nothing says so.
it.each(forms)("the issue form $name has what a form needs", ({ form }) => {
  const fields = (form.body ?? []).filter(({ type }) => type !== "markdown");
  const ids = fields.map(({ id }) => id);

  expect(form.name).toBeTruthy();
  expect(form.description).toBeTruthy();
  expect(fields.length).toBeGreaterThan(0);
  expect(new Set(ids).size).toBe(fields.length);
  expect(fields.filter(({ attributes }) => !("label" in attributes))).toEqual([]);
});
