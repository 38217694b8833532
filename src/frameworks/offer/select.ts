import type { ToolDescriptor } from "../../index.js";
import type { Selection } from "../contract/offer.js";

/** The tools of a selection, ordered by name (by code units, so that the bytes of a prompt stay the same everywhere). */
export function select(tools: readonly ToolDescriptor[], selection: Selection = {}): ToolDescriptor[] {
  const { servers, readOnly, allowedOnly } = selection;
  const wanted = selection.tools?.map(pattern);
  const unwanted = selection.except?.map(pattern) ?? [];
  return tools
    .filter((tool) => {
      if (tool.permission === "deny") return false;
      if (servers !== undefined && !servers.includes(tool.server)) return false;
      if (readOnly === true && tool.annotations.readOnlyHint !== true) return false;
      if (allowedOnly === true && tool.permission !== "allow") return false;
      if (unwanted.some((each) => fits(each, tool))) return false;
      return wanted === undefined || wanted.some((each) => fits(each, tool));
    })
    .toSorted(byName);
}

/** What of a list fits into a number of characters; earlier patterns go first. */
export function withinCharacters<
  T extends { readonly characters: number; readonly descriptor?: ToolDescriptor },
>(tools: readonly T[], { characters, tools: patterns = [] }: Selection): T[] {
  if (characters === undefined) return [...tools];
  const order = patterns.map(pattern);
  const rank = (tool: T): number => {
    const at = order.findIndex((each) => tool.descriptor !== undefined && fits(each, tool.descriptor));
    return at < 0 ? order.length : at;
  };
  let left = characters;
  const taken = new Set(
    tools
      .toSorted((a, b) => rank(a) - rank(b))
      .filter((tool) => {
        if (tool.characters > left) return false;
        left -= tool.characters;
        return true;
      }),
  );
  return tools.filter((tool) => taken.has(tool));
}

function byName(a: ToolDescriptor, b: ToolDescriptor): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function pattern(text: string): RegExp {
  const parts = text.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}

function fits(each: RegExp, tool: ToolDescriptor): boolean {
  return each.test(tool.name) || each.test(`${tool.server}/${tool.tool}`);
}
