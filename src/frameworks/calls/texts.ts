import { nearest } from "../../tools/near.js";
import type { Offer } from "../contract/offer.js";

/** What a model reads when it calls a tool that is not offered. */
export function unknownTool(name: string, offer: Offer): string {
  const server = offer.gone(name);
  if (server !== undefined) {
    const left = offer.all().filter((tool) => tool.descriptor?.server === server);
    const others = left.slice(0, 10).map((tool) => tool.name);
    const now =
      others.length > 0
        ? `That server now offers: ${others.join(", ")}.`
        : "That server offers no tools now.";
    return `The tool ${name} of server ${server} is not available any more; nothing was run. ${now}`;
  }
  const names = [...offer.list(), ...offer.all()].map((tool) => tool.name);
  const near = nearest(name, new Set(names));
  const hint =
    near.length > 0
      ? `Did you mean ${near.join(" or ")}?`
      : offer.searching()
        ? "search_tools finds the tools that there are."
        : `The tools are: ${names.slice(0, 20).join(", ")}${names.length > 20 ? " …" : ""}.`;
  return `There is no tool ${JSON.stringify(name.slice(0, 100))}; nothing was run. ${hint}`;
}

export function twiceOneId(id: string): string {
  return `Two calls of one message had the id ${id}. Only the first was run; send the second again as a call of its own.`;
}
