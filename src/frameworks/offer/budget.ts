import type { ToolDescriptor } from "../../index.js";

/** What the definitions of tools cost in a model's context. */
export interface Budget {
  /** How many tools. */
  readonly tools: number;
  /** Characters of JSON of name, description and inputSchema. */
  readonly characters: number;
  /** Estimated: 3.6 characters a token, which is what JSON of tool definitions takes in current tokenizers, within 15 %. */
  readonly tokens: number;
}

/** What a fleet's definitions cost, in all and by server. */
export interface BudgetReport extends Budget {
  /** Dearest first. */
  readonly servers: readonly ServerBudget[];
  /** The dearest ten. */
  readonly dearest: readonly ToolBudget[];
}

/** What the definitions of one server cost. */
export interface ServerBudget extends Budget {
  /** Its id. */
  readonly server: string;
  /** The public name of its dearest tool. */
  readonly dearest: string;
}

/** What the definition of one tool costs. */
export interface ToolBudget extends Omit<Budget, "tools"> {
  /** Its public name. */
  readonly name: string;
}

const charactersPerToken = 3.6;

/** Says what each server's definitions cost, before a provider's rules change them. */
export function budgetOf(tools: readonly ToolDescriptor[]): BudgetReport {
  const costs = tools.map((tool) => ({ tool, characters: charactersOf(tool) }));
  const servers = new Map<string, typeof costs>();
  for (const cost of costs) servers.set(cost.tool.server, [...(servers.get(cost.tool.server) ?? []), cost]);
  const dearest = costs.toSorted(
    (a, b) => b.characters - a.characters || (a.tool.name < b.tool.name ? -1 : 1),
  );
  return {
    ...sum(costs),
    servers: [...servers]
      .map(([server, own]) => ({
        server,
        ...sum(own),
        dearest: dearest.find((each) => each.tool.server === server)!.tool.name,
      }))
      .toSorted((a, b) => b.characters - a.characters || (a.server < b.server ? -1 : 1)),
    dearest: dearest
      .slice(0, 10)
      .map(({ tool, characters }) => ({ name: tool.name, characters, tokens: tokens(characters) })),
  };
}

function sum(costs: readonly { readonly characters: number }[]): Budget {
  const characters = costs.reduce((total, each) => total + each.characters, 0);
  return { tools: costs.length, characters, tokens: tokens(characters) };
}

function charactersOf({ name, description, inputSchema }: ToolDescriptor): number {
  return JSON.stringify({ name, description, input_schema: inputSchema }).length;
}

function tokens(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}
