import { Validator } from "@cfworker/json-schema";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plain } from "../../src/frameworks/schemas/render.js";
import { rules } from "../../src/frameworks/schemas/rules.js";
import { schemaFor } from "../../src/frameworks/schemas/schemaFor.js";
import type { Provider } from "../../src/frameworks/contract/schema.js";
import { refusalOf } from "./accepts/index.js";
import { instanceOf } from "./instance.js";
import { anySchema } from "./schemaArbitrary.js";

const providers = Object.keys(rules) as Provider[];
const numRuns = Number(process.env["RUNS"] ?? 400);

describe("schemas for providers, whatever the schema", () => {
  it.each(providers)("%s takes what is made for it", (provider) => {
    fc.assert(
      fc.property(anySchema, (schema) => {
        const made = schemaFor(provider, schema);
        expect(refusalOf(provider, made.schema, made.strict)).toBeUndefined();
      }),
      { numRuns },
    );
  });

  it.each(providers)(
    "%s: what fits after the mapping fits before it, unless a warning says so",
    (provider) => {
      let judged = 0;
      fc.assert(
        fc.property(
          anySchema,
          fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
          (schema, stream) => {
            const made = schemaFor(provider, schema);
            if (made.warnings.some((each) => each.effect === "wider")) return;
            const after = new Validator(plain(lowered(made.schema)), "2020-12");
            const before = new Validator(structuredClone(schema) as object, "2020-12");
            for (let at = 0; at < 6; at++) {
              const args = instanceOf(made.schema, () => stream.next().value);
              if (!after.validate(args).valid) continue;
              judged++;
              const restored = made.restore(structuredClone(args));
              const verdict = before.validate(restored);
              expect(verdict.valid ? [] : [args, restored, made.schema, verdict.errors]).toEqual([]);
            }
          },
        ),
        { numRuns },
      );
      expect(judged).toBeGreaterThan(numRuns / 10);
    },
  );

  it("leaves the schema that it is given as it was, and writes the same bytes again", () => {
    fc.assert(
      fc.property(anySchema, fc.constantFrom(...providers), (schema, provider) => {
        const before = JSON.stringify(schema);
        const first = JSON.stringify(schemaFor(provider, schema).schema);
        expect(JSON.stringify(schemaFor(provider, schema).schema)).toBe(first);
        expect(JSON.stringify(schema)).toBe(before);
      }),
      { numRuns: 200 },
    );
  });

  it("restores anything at all without throwing", () => {
    fc.assert(
      fc.property(anySchema, fc.constantFrom(...providers), fc.jsonValue(), (schema, provider, value) => {
        expect(() => schemaFor(provider, schema).restore(value)).not.toThrow();
      }),
      { numRuns: 200 },
    );
  });
});

/** Gemini writes types in capitals. */
function lowered(schema: unknown): Record<string, unknown> {
  const low = (value: unknown, key: string): unknown => {
    if (key === "type" && typeof value === "string") return value.toLowerCase();
    if (Array.isArray(value)) return value.map((each) => low(each, ""));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        name,
        key === "properties" ? low(each, "") : low(each, name),
      ]),
    );
  };
  return low(schema, "") as Record<string, unknown>;
}
