import type { ToolDescriptor } from "../../index.js";

/** A JSON Schema object as a server wrote it or a provider takes it. */
export type JsonSchema = ToolDescriptor["inputSchema"];

/** What may stand where a schema is expected; draft-06 and later know `true` and `false`. */
export type AnySchema = JsonSchema | boolean;

/**
 * Whose rules a schema is to follow. `any` is what OpenAI, Anthropic and Google all take, for frameworks that do not
 * tell which model is behind them; `google-openapi` is Gemini's older `parameters` field.
 */
export type Provider =
  /** What OpenAI, Anthropic and Google all take. */
  | "any"
  /** Chat completions and Responses, not strict. */
  | "openai"
  /** Chat completions and Responses with `strict: true`. */
  | "openai-strict"
  /** The Messages API, not strict. */
  | "anthropic"
  /** The Messages API with `strict: true`. */
  | "anthropic-strict"
  /** Gemini, `parametersJsonSchema`. */
  | "google"
  /** Gemini, `parameters`. */
  | "google-openapi";

/** Something that a provider's rules did not leave as it was. */
export interface SchemaWarning {
  /** Where, as a JSON pointer into the arguments; `*` stands for every key or item. */
  readonly path: string;
  /** The keyword of JSON Schema that had to give way. */
  readonly keyword: string;
  /** One sentence for the developer. */
  readonly message: string;
  /**
   * `wider`: the provider may let arguments pass that the tool refuses (the description says so to the model);
   * `narrower`: some arguments that the tool would take cannot be said.
   */
  readonly effect: "wider" | "narrower";
}

/** A tool's schema as a provider takes it, and the way back. */
export interface ProviderSchema {
  /** What the provider is given. */
  readonly schema: JsonSchema;
  /** Whether the schema follows the provider's strict rules, so that the tool may be declared `strict: true`. */
  readonly strict: boolean;
  /** What it could not take over as it was; empty when nothing was lost. */
  readonly warnings: readonly SchemaWarning[];
  /** Turns arguments that fit `schema` into arguments of the tool. Never throws; what it does not know stays. */
  readonly restore: (args: unknown) => unknown;
  /** True when `restore` gives back what it is given. */
  readonly same: boolean;
}

/** The way back of one part; absent means that it stays as it is. */
export type Back = (value: unknown) => unknown;

/** A compiled part: what the provider gets and how its values come back. */
export interface Part {
  readonly schema: Record<string, unknown>;
  readonly back?: Back | undefined;
}
