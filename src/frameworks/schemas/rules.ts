import type { Source } from "./sources.js";
import type { Provider } from "../contract/schema.js";

/** One rule of a provider and where it comes from. */
export interface Rule<T> {
  /** What the provider takes. */
  readonly is: T;
  /** Where that is written down: a key of `sources`. */
  readonly source: Source;
}

/** What a provider takes. Everything else is rewritten, or said in the description. */
export interface ProviderRules {
  /** Keywords that limit values and may stay as they are. */
  readonly keywords: Rule<ReadonlySet<string>>;
  /** Values of `format`; `undefined` means all. */
  readonly formats: Rule<ReadonlySet<string> | undefined>;
  /** Which `$ref` may stay: none, or those into `$defs`, also recursive ones. */
  readonly refs: Rule<"none" | "recursive">;
  /** `prefixItems`. */
  readonly tuples: Rule<boolean>;
  /** `anyOf` below the root. */
  readonly unions: Rule<boolean>;
  /** What an enum may hold: anything, texts and numbers, or texts. */
  readonly enums: Rule<"any" | "primitive" | "numbers" | "strings">;
  /** How null is said beside another type. */
  readonly nulls: Rule<"type" | "flag">;
  /** `type` as a list. */
  readonly typeLists: Rule<boolean>;
  /** Every object says `additionalProperties: false`. */
  readonly closed: Rule<boolean>;
  /** `additionalProperties: false` may be said. */
  readonly closes: Rule<boolean>;
  /** Every property is required; optional ones are null instead. */
  readonly allRequired: Rule<boolean>;
  /** `additionalProperties` as a schema. */
  readonly maps: Rule<boolean>;
  /** Objects without properties. */
  readonly openObjects: Rule<boolean>;
  /** `{}`, a schema that says nothing. */
  readonly untyped: Rule<boolean>;
  /** `default`. */
  readonly defaults: Rule<boolean>;
  /** What names of properties must match; `undefined` means all. */
  readonly propertyName: Rule<RegExp | undefined>;
  /** The largest `minItems`. */
  readonly minItemsMost: Rule<number>;
  /** Levels of nesting. */
  readonly depth: Rule<number>;
  /** Properties of all objects together. */
  readonly properties: Rule<number>;
  /** Values of all enums together. */
  readonly enumValues: Rule<number>;
  /** Characters of one enum of texts. */
  readonly enumChars: Rule<number>;
  /** Types are said in capitals (`STRING`). */
  readonly upperCaseTypes: Rule<boolean>;
  /** What the name of a tool must match. */
  readonly toolName: Rule<RegExp>;
  /** Characters of a tool's description. */
  readonly description: Rule<number>;
  /** Tools of one request. */
  readonly tools: Rule<number>;
}

function rule<T>(is: T, source: Source): Rule<T> {
  return { is, source };
}

const numeric = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
const most = [...numeric, "minLength", "maxLength", "pattern", "format", "minItems", "maxItems"];
const all = [...most, "uniqueItems", "minProperties", "maxProperties"];
const endless = Number.POSITIVE_INFINITY;
const strictFormats = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
const keys = /^[a-zA-Z0-9_.-]{1,64}$/;
const geminiKeys = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/;

const openai: ProviderRules = {
  keywords: rule(new Set(all), "openaiRoot"),
  formats: rule(undefined, "openaiRoot"),
  refs: rule("recursive", "openaiRoot"),
  tuples: rule(false, "openaiItems"),
  unions: rule(true, "openaiRoot"),
  enums: rule("primitive", "openaiRoot"),
  nulls: rule("type", "openaiStrict"),
  typeLists: rule(true, "openaiStrict"),
  closed: rule(false, "openaiRoot"),
  closes: rule(true, "openaiRoot"),
  allRequired: rule(false, "openaiRoot"),
  maps: rule(true, "openaiRoot"),
  openObjects: rule(true, "openaiRoot"),
  untyped: rule(true, "openaiRoot"),
  defaults: rule(true, "openaiRoot"),
  propertyName: rule(undefined, "openaiRoot"),
  minItemsMost: rule(endless, "openaiRoot"),
  depth: rule(24, "common"),
  properties: rule(5000, "openaiStrict"),
  enumValues: rule(1000, "openaiStrict"),
  enumChars: rule(15_000, "openaiStrict"),
  upperCaseTypes: rule(false, "openaiRoot"),
  toolName: rule(/^[a-zA-Z0-9_-]{1,64}$/, "openaiNames"),
  description: rule(1024, "openaiDescription"),
  tools: rule(128, "openaiTools"),
};

const openaiStrict: ProviderRules = {
  ...openai,
  keywords: rule(new Set([...numeric, "pattern", "format", "minItems", "maxItems"]), "openaiStrict"),
  formats: rule(new Set(strictFormats), "openaiStrict"),
  closed: rule(true, "openaiStrict"),
  allRequired: rule(true, "openaiStrict"),
  maps: rule(false, "openaiStrict"),
  openObjects: rule(false, "openaiStrict"),
  untyped: rule(false, "openaiStrict"),
  defaults: rule(false, "openaiStrict"),
  depth: rule(10, "openaiStrict"),
};

const anthropic: ProviderRules = {
  ...openai,
  keywords: rule(new Set(all), "anthropicTools"),
  formats: rule(undefined, "anthropicTools"),
  tuples: rule(true, "anthropicTools"),
  unions: rule(true, "anthropicRoot"),
  enums: rule("any", "anthropicTools"),
  propertyName: rule(keys, "anthropicKeys"),
  properties: rule(endless, "anthropicTools"),
  enumValues: rule(2000, "common"),
  enumChars: rule(40_000, "common"),
  toolName: rule(/^[a-zA-Z0-9_-]{1,128}$/, "anthropicTools"),
  description: rule(8000, "common"),
  tools: rule(endless, "anthropicTools"),
};

const anthropicStrict: ProviderRules = {
  ...anthropic,
  keywords: rule(new Set(["format", "minItems"]), "anthropicStrict"),
  formats: rule(new Set([...strictFormats, "uri"]), "anthropicStrict"),
  refs: rule("none", "anthropicStrict"),
  tuples: rule(false, "anthropicStrict"),
  enums: rule("primitive", "anthropicStrict"),
  closed: rule(true, "anthropicStrict"),
  maps: rule(false, "anthropicStrict"),
  openObjects: rule(false, "anthropicStrict"),
  untyped: rule(false, "anthropicStrict"),
  minItemsMost: rule(1, "anthropicStrict"),
};

const google: ProviderRules = {
  ...anthropic,
  keywords: rule(new Set(["format", "minItems", "maxItems", "minimum", "maximum"]), "googleJson"),
  formats: rule(undefined, "googleJson"),
  // Cycles may only be reached through optional properties and are unrolled "to a limited degree": we do it ourselves.
  refs: rule("none", "googleJson"),
  tuples: rule(true, "googleJson"),
  enums: rule("numbers", "googleJson"),
  untyped: rule(false, "googleType"),
  defaults: rule(false, "googleJson"),
  propertyName: rule(geminiKeys, "googleSchema"),
  toolName: rule(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/, "googleSchema"),
  tools: rule(512, "googleSchema"),
};

const googleOpenapi: ProviderRules = {
  ...google,
  keywords: rule(
    new Set(["minItems", "maxItems", "minimum", "maximum", "minLength", "maxLength", "pattern", "format"]),
    "googleSchema",
  ),
  formats: rule(new Set(["date-time", "enum"]), "googleSchema"),
  tuples: rule(false, "googleSchema"),
  enums: rule("strings", "googleEnum"),
  nulls: rule("flag", "googleSchema"),
  closes: rule(false, "googleSchema"),
  typeLists: rule(false, "googleSchema"),
  maps: rule(false, "googleSchema"),
  openObjects: rule(false, "googleObject"),
  upperCaseTypes: rule(true, "googleSchema"),
};

const any: ProviderRules = {
  ...openai,
  keywords: googleOpenapi.keywords,
  formats: rule(new Set(["date-time"]), "common"),
  refs: rule("none", "googleJson"),
  enums: rule("strings", "googleEnum"),
  typeLists: rule(false, "googleSchema"),
  maps: rule(false, "googleSchema"),
  openObjects: rule(false, "googleObject"),
  untyped: rule(false, "googleType"),
  defaults: rule(false, "googleSchema"),
  propertyName: rule(geminiKeys, "googleSchema"),
  toolName: rule(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/, "common"),
};

/** The rules of each provider; `source` names an entry of `sources`. */
export const rules: Readonly<Record<Provider, ProviderRules>> = {
  any,
  openai,
  "openai-strict": openaiStrict,
  anthropic,
  "anthropic-strict": anthropicStrict,
  google,
  "google-openapi": googleOpenapi,
};

/** The rules to fall back to when a schema is too large for the strict ones. */
export const lax: Readonly<Partial<Record<Provider, Provider>>> = {
  "openai-strict": "openai",
  "anthropic-strict": "anthropic",
};
