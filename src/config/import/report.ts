import type { Fields } from "../fields/fields.js";

/** A server of another program in the words of our `mcpServers` files, and what did not come with it. */
export interface ImportedServer {
  readonly name: string;
  /** Fields of an entry of an `mcpServers` file; undefined when it cannot be carried over at all. */
  readonly entry?: Fields;
  /** What was left out or has to be looked at, in sentences for a person; never values. */
  readonly notes: readonly string[];
}

/** What the reader of one program's format is given and fills: fields taken, fields left, notes. */
export interface Taking {
  readonly source: Fields;
  readonly taken: Set<string>;
  readonly result: Map<string, unknown>;
  readonly notes: string[];
  /** Headers whose texts are in our syntax already. */
  readonly headers: [name: string, text: string][];
}

/** Begins to read an entry. */
export function begin(source: Fields): Taking {
  return { source, taken: new Set(), result: new Map(), notes: [], headers: [] };
}

/** The value of a field, which counts as taken. */
export function take(taking: Taking, field: string): unknown {
  taking.taken.add(field);
  return Object.hasOwn(taking.source, field) ? taking.source[field] : undefined;
}

/** Moves a field as it is, under our name. */
export function move(taking: Taking, field: string, ours = field): void {
  const value = take(taking, field);
  if (value !== undefined && value !== null) taking.result.set(ours, value);
}

/** Moves a number of some unit as a duration in words. */
export function moveTime(taking: Taking, field: string, unit: "ms" | "s", ours = "timeout"): void {
  const value = take(taking, field);
  if (typeof value === "number") {
    taking.result.set(ours, `${value}${unit}`);
    if (unit === "ms" && value > 0 && value < 1000)
      taking.notes.push(`${field}: ${value} is taken as milliseconds; change it if seconds were meant`);
  } else if (value !== undefined) taking.notes.push(`${field} is no number and was left out`);
}

/** Leaves a field out and says why. */
export function leave(taking: Taking, field: string, why: string): void {
  if (take(taking, field) !== undefined) taking.notes.push(`${field}: ${why}`);
}

/** Leaves out whatever was not taken, by name. */
export function finish(taking: Taking, name: string): ImportedServer {
  for (const field of Object.keys(taking.source)) {
    if (!taking.taken.has(field)) taking.notes.push(`${field}: mcpvisor has no such option; left out`);
  }
  return { name, entry: Object.fromEntries(taking.result) as Fields, notes: taking.notes };
}

/** An entry that cannot be carried over, with the reason. */
export function refuse(name: string, why: string): ImportedServer {
  return { name, notes: [why] };
}
