/** What a keyword asks for, in words for a model; used where a provider does not take the keyword itself. */
export function say(keyword: string, value: unknown): string {
  const text = sentences[keyword]?.(value);
  return text ?? `Must also satisfy the JSON Schema ${short({ [keyword]: value })}.`;
}

const sentences: Readonly<Record<string, (value: unknown) => string>> = {
  minimum: (value) => `At least ${short(value)}.`,
  maximum: (value) => `At most ${short(value)}.`,
  exclusiveMinimum: (value) => `Greater than ${short(value)}.`,
  exclusiveMaximum: (value) => `Less than ${short(value)}.`,
  multipleOf: (value) => `A multiple of ${short(value)}.`,
  minLength: (value) => `At least ${short(value)} characters.`,
  maxLength: (value) => `At most ${short(value)} characters.`,
  pattern: (value) => `Must match the regular expression ${String(value)}`,
  format: (value) => `Format: ${String(value)}.`,
  minItems: (value) => `At least ${short(value)} items.`,
  maxItems: (value) => `At most ${short(value)} items.`,
  uniqueItems: () => "No item twice.",
  minProperties: (value) => `At least ${short(value)} keys.`,
  maxProperties: (value) => `At most ${short(value)} keys.`,
  default: (value) => `Default: ${short(value)}.`,
  enum: (value) => `One of ${short(value, 1500)}.`,
  oneOf: () => "Must fit exactly one of the alternatives.",
  anyOf: (value) => `Must also fit one of ${short(value)}.`,
  required: (value) => `Give ${(value as string[][]).map((each) => each.join(" and ")).join(", or ")}.`,
};

/** JSON of a value, cut to a length. */
export function short(value: unknown, most = 300): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** A description with sentences after it. */
export function withNotes(description: unknown, notes: readonly string[]): string | undefined {
  const text = [typeof description === "string" ? description : "", ...new Set(notes)]
    .filter(Boolean)
    .join("\n");
  return text === "" ? undefined : text;
}
