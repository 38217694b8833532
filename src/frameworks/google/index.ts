import type { CallableTool, Content, FunctionCall, FunctionDeclaration, Part, Tool } from "@google/genai";
import { hostOf } from "../calls/host.js";
import type { HostOptions } from "../calls/host.js";
import type { ModelCall, RunOptions } from "../contract/calls.js";
import type { Fleet, OfferedTool } from "../contract/offer.js";
import { responsePart } from "./parts.js";

export type { HostOptions } from "../calls/host.js";
export type { RunOptions } from "../contract/calls.js";

/** How the tools are offered to Gemini. */
export interface GoogleOptions extends Omit<HostOptions, "provider"> {
  /** Declares `parameters` in Gemini's older form in place of `parametersJsonSchema`. Default: false. */
  readonly openapi?: boolean;
}

/** Function calls of a response: `response.functionCalls`, parts, or a content. */
export type GoogleCalls = readonly (FunctionCall | Part)[] | Content | undefined;

/** The tools of a fleet for Google's Gemini API. */
export interface GoogleTools {
  /** For `config.tools` of `models.generateContent`; ask again before every request. Empty without tools. */
  tools(): Tool[];
  /** Runs the calls and gives the content to append: a `functionResponse` per call, in order. Nothing without calls. Never rejects. */
  run(calls: GoogleCalls, options?: RunOptions): Promise<Content | undefined>;
  /**
   * For `config.tools` with the SDK's automatic function calling: follows the fleet at every turn. The SDK passes no
   * signal to tools: give one here.
   */
  callable(options?: RunOptions): CallableTool;
}

/** Offers the tools of a fleet to Google's Gemini API. */
export function googleTools(fleet: Fleet, options: GoogleOptions = {}): GoogleTools {
  const host = hostOf(fleet, options.openapi === true ? "google-openapi" : "google", options);

  function tools(): Tool[] {
    const functionDeclarations = host.offer.list().map((tool) => declare(tool, options.openapi === true));
    return functionDeclarations.length === 0 ? [] : [{ functionDeclarations }];
  }

  async function parts(calls: readonly ModelCall[], own: RunOptions | undefined): Promise<Part[]> {
    return (await host.run(calls, own)).map(responsePart);
  }

  return {
    tools,
    run: async (calls, own) => {
      const read = readCalls(calls);
      return read.length === 0 ? undefined : { role: "user", parts: await parts(read, own) };
    },
    callable: (own) => ({
      tool: async () => tools()[0] ?? { functionDeclarations: [] },
      callTool: (calls) => parts(readCalls(calls), own),
    }),
  };
}

function declare({ name, description, schema }: OfferedTool, openapi: boolean): FunctionDeclaration {
  const properties = schema.schema["properties"];
  // A function without parameters declares none: an object without properties is refused.
  if (typeof properties === "object" && properties !== null && Object.keys(properties).length === 0) {
    return { name, description };
  }
  return openapi
    ? { name, description, parameters: schema.schema }
    : { name, description, parametersJsonSchema: schema.schema };
}

function readCalls(calls: GoogleCalls): ModelCall[] {
  const list: readonly (FunctionCall | Part)[] =
    calls === undefined ? [] : "parts" in calls ? (calls.parts ?? []) : (calls as readonly Part[]);
  return list.flatMap((each) => {
    const call = "functionCall" in each ? each.functionCall : "name" in each ? each : undefined;
    if (call?.name === undefined) return [];
    return [{ id: call.id, name: call.name, arguments: call.args }];
  });
}
