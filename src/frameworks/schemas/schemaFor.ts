import { Validator, dereference, validate } from "@cfworker/json-schema";
import { compile, compileNode } from "./compile.js";
import type { Context, Definition, Place } from "./context.js";
import { isObject } from "./node.js";
import { plain, render } from "./render.js";
import { lax, rules } from "./rules.js";
import { refsOf } from "./refs.js";
import type { Back, JsonSchema, Part, Provider, ProviderSchema } from "../contract/schema.js";

/**
 * Turns the inputSchema of a tool (drafts 4 to 2020-12) into what a provider takes, without loss of meaning where that
 * can be. What had to give way is said in descriptions and in `warnings`. Arguments that fit the result and went
 * through `restore` fit the tool's own schema, unless a warning says `wider`. Never throws.
 */
export function schemaFor(provider: Provider, inputSchema: JsonSchema): ProviderSchema {
  const written = attempt(provider, inputSchema);
  const other = lax[provider];
  if (other === undefined) return { ...written.result, strict: false };
  if (!written.tooLarge) return { ...written.result, strict: true };
  return { ...attempt(other, inputSchema).result, strict: false };
}

function attempt(provider: Provider, inputSchema: JsonSchema) {
  const ctx = contextFor(provider, inputSchema);
  const place: Place = { path: "", depth: 0, inlined: [], notes: [] };
  const root = rootPart(inputSchema, place, ctx);
  const schema = render(withDefinitions(root.schema, ctx), ctx.rules);
  const { back } = root;
  const result = { schema, warnings: ctx.warnings, restore: safely(back), same: back === undefined };
  return { result, tooLarge: ctx.counts.properties > ctx.rules.properties.is };
}

/** Arguments are one object for every provider; what is none is wrapped into one. */
function rootPart(inputSchema: JsonSchema, place: Place, ctx: Context): Part {
  const part = ctx.compile({ allOf: [inputSchema, { type: "object" }] }, place);
  if (part === undefined) {
    ctx.warnings.push({
      path: "",
      keyword: "inputSchema",
      message: "the tool's schema takes no arguments at all",
      effect: "wider",
    });
    return {
      schema: { type: "object", properties: {}, ...(ctx.rules.closes.is && { additionalProperties: false }) },
    };
  }
  const { schema, back } = part;
  if (schema["type"] === "object" && schema["anyOf"] === undefined && isObject(schema["properties"]))
    return part;
  const { closes } = ctx.rules;
  return {
    schema: {
      type: "object",
      properties: { arguments: schema },
      required: ["arguments"],
      ...(closes.is && { additionalProperties: false }),
    },
    back: (value) => {
      if (!isObject(value) || !Object.hasOwn(value, "arguments")) return value;
      return back === undefined ? value["arguments"] : back(value["arguments"]);
    },
  };
}

function contextFor(provider: Provider, inputSchema: JsonSchema): Context {
  const dialect = dialectOf(inputSchema["$schema"]);
  const definitions = new Map<string, Definition>();
  const validators = new Map<Record<string, unknown>, Validator>();
  const ctx: Context = {
    rules: rules[provider],
    refs: refsOf(inputSchema),
    legacy: dialect === "4" || dialect === "7",
    definitions,
    warnings: [],
    counts: { properties: 0, parts: 0 },
    compile: (schema, place) => compile(schema, place, ctx),
    compileNode: (node, place) => compileNode(node, place, ctx),
    fits: (schema, value) => {
      let validator = validators.get(schema);
      if (validator === undefined) {
        validator = new Validator(plain(withDefinitions(schema, ctx)), "2020-12");
        validators.set(schema, validator);
      }
      return tried(() => validator.validate(value).valid);
    },
    fitsOriginal: (node, value) =>
      node.origins.every((origin) =>
        tried(() => {
          // Its references lead into the whole, so it is judged within it; a copy, because the validator writes into it.
          const whole = structuredClone({ ...inputSchema, [probe]: origin }) as Record<string, object>;
          return validate(value, whole[probe]!, dialect, dereference(whole)).valid;
        }),
      ),
  };
  return ctx;
}

const probe = "mcpvisor-probe";

function withDefinitions(schema: Record<string, unknown>, ctx: Context): Record<string, unknown> {
  if (ctx.definitions.size === 0) return schema;
  const named = [...ctx.definitions.values()].map((each) => [each.name, each.part?.schema ?? {}]);
  return { ...schema, $defs: Object.fromEntries(named) };
}

function dialectOf($schema: unknown): "4" | "7" | "2019-09" | "2020-12" {
  const name = typeof $schema === "string" ? $schema : "";
  if (/draft-0[34]/.test(name)) return "4";
  if (/draft-0[67]/.test(name)) return "7";
  return name.includes("2019-09") ? "2019-09" : "2020-12";
}

/** What cannot be judged is let through: the tool's server judges it. */
function tried(judge: () => boolean): boolean {
  try {
    return judge();
  } catch {
    return true;
  }
}

function safely(back: Back | undefined): Back {
  if (back === undefined) return (args) => args;
  return (args) => {
    try {
      return back(args);
    } catch {
      return args;
    }
  };
}
