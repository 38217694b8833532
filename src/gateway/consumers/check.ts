import { isRecord } from "../contract/protocol.js";
import type { ConsumerConfig } from "./consumer.js";
import { defaultLimits } from "./consumer.js";

const choices = {
  mode: ["ask", "allow-reads", "allow-all", "allow-trusted"],
  expose: ["auto", "all", "search"],
} as const;
const known = ["servers", "tools", "mode", "expose", "nameBudget", "limits"];
const shortestBudget = 24;
const longestBudget = 64;

/**
 * A consumer's configuration as a file holds it. What is wrong is told and nothing of it counts: a scope that is read in
 * part would be wider than the one that was meant.
 */
export function checkConfig(
  value: unknown,
): { readonly config: ConsumerConfig } | { readonly problem: string } {
  if (!isRecord(value)) return { problem: "is no object" };
  const odd = Object.keys(value).find((key) => !known.includes(key));
  if (odd !== undefined) return { problem: `has a field "${odd}", which is not known` };
  const { servers, tools, nameBudget, limits } = value;
  if (!isTexts(servers)) return { problem: "servers is no list of texts" };
  if (tools !== undefined) {
    if (!isRecord(tools) || !isTexts(tools["include"]) || !isTexts(tools["exclude"]))
      return { problem: "tools is no object with include and exclude, lists of texts" };
  }
  for (const [field, words] of Object.entries(choices))
    if (value[field] !== undefined && !(words as readonly unknown[]).includes(value[field]))
      return { problem: `${field} is none of ${words.join(", ")}` };
  if (nameBudget !== undefined && !isWhole(nameBudget, shortestBudget, longestBudget))
    return { problem: `nameBudget is no whole number from ${shortestBudget} to ${longestBudget}` };
  if (limits !== undefined) {
    if (!isRecord(limits)) return { problem: "limits is no object" };
    for (const [name, limit] of Object.entries(limits))
      if (!(name in defaultLimits) || !isWhole(limit, 1, Number.MAX_SAFE_INTEGER))
        return { problem: `limits.${name} is no limit, or no whole number above 0` };
  }
  return { config: value };
}

function isTexts(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((each) => typeof each === "string"));
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}
