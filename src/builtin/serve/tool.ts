import type { Client } from "../contract/client.js";
import type * as z from "zod";
import type { ServiceId } from "../contract/ids.js";

/** A tool as data with its handler; what it reads or changes decides its annotations. */
export interface ToolDefinition<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  readonly service: ServiceId;
  /** As MCP names it; unique in its server. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** `write`: it sends, trashes, posts, creates, deploys, changes DNS or writes rows; a host has to ask. */
  readonly kind: "read" | "write";
  /** Doing it twice with the same arguments changes nothing more. Reads always are. */
  readonly idempotent?: boolean;
  readonly input: I;
  readonly output: O;
  /** Does it, or throws a ServiceError that a model can act on. */
  run(args: z.infer<I>, client: Client): Promise<z.infer<O>>;
}

/** Checks a definition's handler against its schemas and forgets their exact types, so that tools fit one list. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(
  tool: ToolDefinition<I, O>,
): ToolDefinition {
  return tool;
}

/** The hints of MCP for a tool: only reads are `readOnlyHint`, all else is `destructiveHint`. */
export function annotationsOf(tool: ToolDefinition): {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
} {
  const reads = tool.kind === "read";
  return {
    readOnlyHint: reads,
    destructiveHint: !reads,
    idempotentHint: reads || tool.idempotent === true,
    openWorldHint: true,
  };
}
