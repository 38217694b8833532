/** What kind of characters a reader cannot see, or that a terminal obeys. */
export type HiddenKind = "control" | "bidi" | "zero-width" | "tag" | "variation-selectors";

/** A run of hidden characters; `at` is its index in UTF-16 code units. */
export interface HiddenText {
  readonly kind: HiddenKind;
  readonly at: number;
  readonly length: number;
}

/*
 * Legitimate uses come first, so that they are stepped over: emoji joined by U+200D (with skin tones and U+FE0F), flags
 * written with tag characters (U+1F3F4 … U+E007F), and up to two variation selectors after a visible character.
 * Joiners stay between letters of scripts that need them (Arabic and its relatives, Indic scripts, Khmer, Mongolian).
 */
const emoji = String.raw`\p{Extended_Pictographic}(?:\uFE0F|\p{EMod})?`;
const needsJoiner = String.raw`[\p{sc=Arab}\p{sc=Syrc}\p{sc=Nkoo}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Khmr}\p{sc=Mong}]\p{M}*`;
const flag = String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{2,6}\u{E007F}`;
/** The one set of what is hidden: no door of the program has another. */
const classes = {
  control: String.raw`\u0000-\u0008\u000B-\u001F\u007F-\u009F`,
  bidi: String.raw`\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069`,
  zero: String.raw`\u00AD\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200D\u2028\u2029\u2060-\u2065\u206A-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\p{Cs}`,
  tag: String.raw`\u{E0000}-\u{E007F}`,
  // Marks of scripts (Arabic, Kaithi), of shorthand and of music that Unicode calls formats.
  format: String.raw`\p{Cf}`,
};
const patterns = [
  String.raw`(?<fine>${flag}|${emoji}(?:\u200D${emoji})+|(?<=${needsJoiner})[\u200C\u200D](?=${needsJoiner}))`,
  `(?<control>[${classes.control}]+)`,
  `(?<bidi>[${classes.bidi}]+)`,
  `(?<zero>[${classes.zero}]+)`,
  `(?<tag>[${classes.tag}]+)`,
  String.raw`(?<variation>[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{3,}|(?<!\p{Script=Han})[\u{E0100}-\u{E01EF}]+)`,
];
const hidden = new RegExp(patterns.join("|"), "gu");
/** Everything of the set, without regard to where it is honest. */
const strict = new RegExp(`[${Object.values(classes).join("")}\\u{E0100}-\\u{E01EF}]`, "gu");
const kinds: readonly (readonly [string, HiddenKind])[] = [
  ["control", "control"],
  ["bidi", "bidi"],
  ["zero", "zero-width"],
  ["tag", "tag"],
  ["variation", "variation-selectors"],
];
// Most texts hold nothing of the kind; one quick look tells.
const suspicious = /[^\t\n\u0020-\u007E\u00A0-\u00AC\u00AE-\u02FF]/u;

/**
 * Finds control characters (C0 but tab and newline, DEL, C1), bidi controls, zero-width characters, Unicode tags and
 * three or more variation selectors in a row. Emoji sequences, flags and joiners that a script needs are not hidden
 * text. It flags; a text without findings is not thereby safe.
 */
export function findHiddenText(text: string): HiddenText[] {
  if (!suspicious.test(text)) return [];
  const found: HiddenText[] = [];
  for (const match of text.matchAll(hidden)) {
    const kind = kindOf(match);
    if (kind !== undefined) found.push({ kind, at: match.index, length: match[0].length });
  }
  return found;
}

/** The text with every hidden character shown as `\u{202e}`; the same text when there is none. */
export function escapeHidden(text: string): string {
  if (!suspicious.test(text)) return text;
  return text.replace(hidden, (...match: unknown[]) => {
    const whole = String(match[0]);
    const groups = match.at(-1) as Record<string, string | undefined>;
    return groups["fine"] === undefined ? Array.from(whole, escape).join("") : whole;
  });
}

/** The same without exceptions for emoji and scripts, in an escape of one's own; tabs and newlines stay. */
export function replaceHidden(text: string, shown: (character: string) => string): string {
  return suspicious.test(text) ? text.replace(strict, shown) : text;
}

/** A JSON value with the hidden characters of every text and key escaped; the very same value when there are none. */
export function escapeDeep<T>(value: T): T {
  return escaped(value, 0) as T;
}

function escaped(value: unknown, depth: number): unknown {
  if (typeof value === "string") return escapeHidden(value);
  if (typeof value !== "object" || value === null || depth >= 500) return value;
  if (Array.isArray(value)) {
    const items = value.map((each) => escaped(each, depth + 1));
    return items.every((each, at) => each === value[at]) ? value : items;
  }
  const before = Object.entries(value);
  const after = before.map(([key, each]) => [escapeHidden(key), escaped(each, depth + 1)] as const);
  const isSame = after.every(([key, each], at) => key === before[at]![0] && each === before[at]![1]);
  return isSame ? value : Object.fromEntries(after);
}

/** A line of JSON text whose hidden characters are JSON escapes: it parses to the same value. */
export function escapeJson(json: string): string {
  return replaceHidden(json, (character) =>
    Array.from({ length: character.length }, (_, at) => {
      return `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
    }).join(""),
  );
}

function kindOf(match: RegExpMatchArray): HiddenKind | undefined {
  return kinds.find(([group]) => match.groups?.[group] !== undefined)?.[1];
}

function escape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
