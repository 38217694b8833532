import type { Provider } from "../../../src/frameworks/contract/schema.js";
import { anthropicRefuses } from "./anthropic.js";
import { geminiJsonRefuses, geminiParametersRefuses } from "./google.js";
import { openaiRefuses } from "./openai.js";

/** Frameworks write Gemini's older form, which knows these. */
const textLimits = ["minLength", "maxLength", "pattern"];

/** Who is to take what `schemaFor` made for a provider. Written from the refusals of the real APIs, apart from our rules. */
export function refusalOf(provider: Provider, schema: unknown, strict: boolean): string | undefined {
  switch (provider) {
    case "openai":
    case "openai-strict":
      return openaiRefuses("f", schema, strict);
    case "anthropic":
    case "anthropic-strict":
      return anthropicRefuses(0, schema, strict);
    case "google":
      return geminiJsonRefuses(schema);
    case "google-openapi":
      return geminiParametersRefuses(schema);
    case "any":
      return (
        openaiRefuses("f", schema, false) ??
        anthropicRefuses(0, schema, false) ??
        geminiJsonRefuses(schema, textLimits)
      );
  }
}
