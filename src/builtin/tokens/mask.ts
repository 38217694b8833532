import { tokensIn } from "../../tokenShapes.js";

/** Hides every secret it was told of, and whatever looks like one, in any text. */
export interface Mask {
  add(secret: string | undefined): void;
  text(text: string): string;
  /** The same for a JSON value: strings anywhere inside are masked. */
  json<T>(value: T): T;
}

const MASKED = "[secret]";
/** Shorter texts occur by chance; hiding them would tear holes into ordinary output. */
const MIN_LENGTH = 8;

/** Tokens that are never worth showing, whoever they belong to. */
const shapes = tokensIn();

/** A mask that knows raw, URL-encoded, base64 and JSON-escaped spellings of each secret. */
export function createMask(secrets: readonly (string | undefined)[] = []): Mask {
  const spellings = new Set<string>();
  let pattern: RegExp | undefined;
  const add = (secret: string | undefined): void => {
    if (secret === undefined || secret.length < MIN_LENGTH) return;
    for (const each of spellingsOf(secret)) spellings.add(each);
    // Longest first, so that a spelling never leaves the tail of a longer one behind.
    const sorted = [...spellings].toSorted((a, b) => b.length - a.length);
    pattern = new RegExp(sorted.map(escape).join("|"), "g");
  };
  for (const secret of secrets) add(secret);
  const text = (input: string): string => {
    const exact = pattern === undefined ? input : input.replaceAll(pattern, MASKED);
    return exact.replaceAll(shapes, MASKED);
  };
  return { add, text, json: (value) => maskJson(value, text) as typeof value };
}

function spellingsOf(secret: string): string[] {
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString("base64"),
    Buffer.from(secret).toString("base64").replace(/=+$/, ""),
    Buffer.from(secret).toString("base64url"),
  ];
}

/** Goes through the value, not through its JSON text: a cut inside an escape would break that. */
function maskJson(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((each) => maskJson(each, mask));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [mask(key), maskJson(each, mask)]));
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
