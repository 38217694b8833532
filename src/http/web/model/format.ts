import { escapeHidden } from "../../../hiddenText.js";
import { language } from "./locale.js";

/** Durations and counts as short text for narrow columns. */
export function duration(ms: number): string {
  if (ms < 1) return "<1 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 60_000) return `${Math.round(ms / 1000)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min`;
  if (ms < 86_400_000) return `${Math.floor(ms / 3_600_000)} h ${Math.floor((ms % 3_600_000) / 60_000)} min`;
  return `${Math.floor(ms / 86_400_000)} d`;
}

export function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString(language, { hour12: false });
}

export function count(value: number): string {
  return value < 10_000 ? String(value) : `${(value / 1000).toFixed(value < 100_000 ? 1 : 0)}k`;
}

/**
 * Text of a server as it may be shown: what steers, hides or turns text becomes visible, so that nothing on the page
 * pretends to be something else.
 */
export function visible(text: string): string {
  return escapeHidden(text);
}
