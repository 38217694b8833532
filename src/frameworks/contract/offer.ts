import type { Supervisor, ToolDescriptor } from "../../index.js";
import type { Provider, ProviderSchema, SchemaWarning } from "./schema.js";

/** The part of a supervisor that a host of tools needs. */
export type Fleet = Pick<Supervisor, "tools" | "callTool">;

/** Which tools are offered, and how many characters they may take. Default: all. */
export interface Selection {
  /** Ids of servers. */
  readonly servers?: readonly string[];
  /** Patterns of public names, or of `server/tool`; `*` stands for any characters. A name is in when one fits. */
  readonly tools?: readonly string[];
  /** Patterns of what is left out, whatever else holds. */
  readonly except?: readonly string[];
  /** Only tools that say they read only. A hint of their servers: permissions hold besides. Default: false. */
  readonly readOnly?: boolean;
  /** Only tools that need no person's consent now. Default: false. */
  readonly allowedOnly?: boolean;
  /**
   * The most characters of JSON that the definitions may take. Tools are taken in the order of `tools`, then by name;
   * one that does not fit is left out. Default: no limit.
   */
  readonly characters?: number;
}

/** Which tools are offered, and in which form. */
export interface OfferOptions extends Selection {
  /** Whose rules the schemas follow. Each adapter has its own default. */
  readonly provider?: Provider;
  /**
   * Offers `search_tools`, `describe_tools` and `call_tool` in place of the tools: always, never, or (`auto`) when
   * there are more than 40 tools or 24,000 characters of them. Default: never.
   */
  readonly search?: boolean | "auto";
  /** Hears of what a provider's rules did not leave as it was, once per tool definition. */
  readonly onWarning?: (tool: string, warning: SchemaWarning) => void;
}

/** One tool as a provider is told of it. */
export interface OfferedTool {
  /** Its public name, changed where the provider takes no such name. */
  readonly name: string;
  /** What the model reads; what its schema could not say is in it, too. */
  readonly description: string;
  /** Its schema by the rules of the provider, and the way back. */
  readonly schema: ProviderSchema;
  /** Absent for the search tools. */
  readonly descriptor?: ToolDescriptor;
  /** Characters of JSON of name, description and schema. */
  readonly characters: number;
}

/** The tools that are offered now. Asked again before every step of a model, because fleets change. */
export interface Offer {
  /** In an order that depends on nothing but the names, the same objects as long as the fleet's list is the same. */
  list(): readonly OfferedTool[];
  /** By the name that the provider knows; tools behind the search tools are found, too. */
  find(name: string): OfferedTool | undefined;
  /** The server of a tool that was offered before and is not any more. */
  gone(name: string): string | undefined;
  /** Whether the search tools stand for the list now. */
  searching(): boolean;
  /** All selected tools, whether or not the search tools stand for them. */
  all(): readonly OfferedTool[];
}
