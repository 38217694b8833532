import type { Access } from "../contract/client.js";
import type { Clock } from "../contract/clock.js";
import type { Service } from "../contract/service.js";
import type { Mask } from "../tokens/mask.js";
import type { ServeOptions } from "./options.js";
import type { ToolDefinition } from "./tool.js";

/** What every call of a server shares. */
export interface Surroundings {
  readonly options: ServeOptions;
  readonly clock: Clock;
  readonly mask: Mask;
}

/** A tool with the service it talks to and the account it talks for. */
export interface Offer {
  readonly tool: ToolDefinition;
  readonly service: Service;
  readonly access: Access;
}
