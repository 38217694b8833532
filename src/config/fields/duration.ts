/** The longest time a timer can wait: above it Node fires at once (2^31 - 1 ms, about 24.8 days). */
export const longestMs = 2 ** 31 - 1;

/** A duration as read: whole milliseconds, or what is wrong with the text in words for the user. */
export type DurationReading =
  | { readonly ok: true; readonly ms: number }
  | { readonly ok: false; readonly problem: string };

const unitMs: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
const examples = "write it like 30s, 2m, 1h30m or 500ms";

/**
 * Reads a duration: a number in `numbersAre` units, or text of parts such as `1h30m` whose units (d, h, m, s, ms)
 * descend and occur once each. From 0 to 2^31 - 1 ms; nothing is guessed, everything else is a problem.
 */
export function parseDuration(input: unknown, numbersAre: "ms" | "s" = "ms"): DurationReading {
  if (typeof input === "number") return inRange(numbersAre === "s" ? input * 1000 : input, String(input));
  if (typeof input !== "string") return { ok: false, problem: `is not a duration; ${examples}` };
  if (/^\d+(\.\d+)?$/.test(input)) {
    return { ok: false, problem: `"${input}" has no unit; ${examples}` };
  }
  return parseText(input);
}

function parseText(text: string): DurationReading {
  const part = /(\d+(?:\.\d+)?)(ms|[dhms])/y;
  let total = 0;
  let lastUnit = Number.POSITIVE_INFINITY;
  while (part.lastIndex < text.length) {
    const match = part.exec(text);
    if (match === null) return { ok: false, problem: `${quote(text)} is not a duration; ${examples}` };
    const unit = unitMs[match[2]!]!;
    if (unit >= lastUnit) {
      return {
        ok: false,
        problem: `${quote(text)} must name each unit once, the largest first; ${examples}`,
      };
    }
    lastUnit = unit;
    total += Number(match[1]) * unit;
  }
  if (text === "") return { ok: false, problem: `is empty; ${examples}` };
  return inRange(total, quote(text));
}

function inRange(ms: number, shown: string): DurationReading {
  if (Number.isNaN(ms)) return { ok: false, problem: `is not a number; ${examples}` };
  if (ms < 0) return { ok: false, problem: `${shown} is negative; ${examples}` };
  if (ms > longestMs) return { ok: false, problem: `${shown} is too long; at most 24 days` };
  return { ok: true, ms: Math.round(ms) };
}

function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
