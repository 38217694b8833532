import * as fc from "fast-check";
import type { JsonSchema } from "../../src/frameworks/contract/schema.js";

type Any = Record<string, unknown> | boolean;

const names = fc.constantFrom(
  "a",
  "b",
  "filter[id]",
  "$top",
  "x-y",
  "type",
  "__proto__",
  "1st",
  "long name here",
);
const primitive = fc.oneof(
  fc.constantFrom<unknown>("red", "green", "1", "null", "true", ""),
  fc.integer({ min: -3, max: 5 }),
  fc.boolean(),
  fc.constant(null),
);

/** Schemas of many drafts and habits, valid each, with definitions that may be recursive. */
export const anySchema: fc.Arbitrary<JsonSchema> = fc
  .letrec<{ schema: Any; object: Any; leaf: Any }>((tie) => ({
    leaf: fc.oneof(
      fc.constantFrom<Any>(
        { type: "string" },
        { type: "integer" },
        { type: "boolean" },
        { type: "null" },
        {},
        true,
      ),
      fc.record(
        {
          type: fc.constant("string"),
          minLength: fc.nat(3),
          pattern: fc.constantFrom("^a", "b$", "^[a-z]*$"),
        },
        { requiredKeys: ["type"] },
      ),
      fc.record(
        {
          type: fc.constantFrom("number", "integer"),
          minimum: fc.integer({ min: -3, max: 3 }),
          maximum: fc.integer({ min: 3, max: 9 }),
          multipleOf: fc.constant(2),
        },
        { requiredKeys: ["type"] },
      ),
      fc.record({
        enum: fc.uniqueArray(primitive, {
          minLength: 1,
          maxLength: 4,
          selector: (each) => JSON.stringify(each),
        }),
      }),
      fc.record({ const: primitive }),
      fc.record({
        type: fc.constantFrom(
          ["string", "null"],
          ["integer", "string"],
          ["object", "array"],
          ["boolean", "null"],
        ),
      }),
      fc.constantFrom<Any>(
        { $ref: "#/$defs/one" },
        { $ref: "#/definitions/two" },
        { $ref: "#/$defs/one", description: "see there" },
        { type: "string", format: "date" },
      ),
    ),
    object: fc.record(
      {
        type: fc.constant("object"),
        properties: fc.dictionary(names, tie("schema"), { maxKeys: 3 }),
        required: fc.uniqueArray(names, { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
        patternProperties: fc.dictionary(fc.constantFrom("^a", "^x-"), tie("schema"), { maxKeys: 1 }),
        minProperties: fc.nat(2),
        description: fc.constant("words"),
      },
      { requiredKeys: ["type"] },
    ),
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      tie("leaf"),
      tie("object"),
      fc.record(
        {
          type: fc.constant("array"),
          items: tie("schema"),
          minItems: fc.nat(2),
          maxItems: fc.integer({ min: 2, max: 3 }),
          uniqueItems: fc.boolean(),
        },
        { requiredKeys: ["type"] },
      ),
      fc.record(
        {
          type: fc.constant("array"),
          prefixItems: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
          items: tie("schema"),
          minItems: fc.nat(4),
        },
        { requiredKeys: ["type", "prefixItems"] },
      ),
      fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
      fc.record({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
      fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
      fc.record({
        type: fc.constant("object"),
        properties: fc.dictionary(names, tie("leaf"), { maxKeys: 3 }),
        anyOf: fc.array(fc.record({ required: fc.uniqueArray(names, { minLength: 1, maxLength: 2 }) }), {
          minLength: 1,
          maxLength: 2,
        }),
      }),
      fc.constant<Any>(false),
      fc.record({ not: tie("leaf") }),
    ),
  }))
  .object.chain((object) =>
    fc
      .letrec<{ leaf: Any; node: Any }>((tie) => ({
        leaf: fc.constantFrom<Any>(
          { type: "string" },
          { $ref: "#/$defs/one" },
          { $ref: "#/definitions/two" },
          { type: "integer" },
        ),
        node: fc.record({
          type: fc.constant("object"),
          properties: fc.dictionary(fc.constantFrom("next", "b", "c d"), tie("leaf"), { maxKeys: 2 }),
          required: fc.uniqueArray(fc.constantFrom("b"), { maxLength: 1 }),
        }),
      }))
      .node.chain((one) =>
        fc
          .constantFrom<Any>(
            { type: "array", items: { $ref: "#/$defs/one" } },
            { anyOf: [{ type: "string" }, { $ref: "#/$defs/one" }] },
            { type: "boolean" },
          )
          .map((two) => ({ ...(object as object), $defs: { one }, definitions: { two } })),
      ),
  ) as fc.Arbitrary<JsonSchema>;
