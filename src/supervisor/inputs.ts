import { withDefaults } from "../protocol/elicitation.js";
import { isRecord } from "../protocol/serverInfo.js";
import type { ElicitAnswer, ElicitRequest, InputHandlers } from "./contract/inputs.js";
import type { Answer, Inputs } from "./state/inputs.js";

export function createInputs({ elicit, sample, roots }: InputHandlers): Inputs {
  return {
    capabilities: {
      ...(elicit === undefined ? {} : { elicitation: { form: {}, url: {} } }),
      ...(sample === undefined ? {} : { sampling: {} }),
      ...(roots === undefined ? {} : { roots: {} }),
    },
    ask(server, method, params, signal) {
      const given = isRecord(params) ? params : {};
      if (method === "elicitation/create" && elicit !== undefined)
        return handled(() => askPerson(elicit, server, given, signal));
      if (method === "sampling/createMessage" && sample !== undefined)
        return handled(async () => ({ result: await sample({ server, params: given }, signal) }));
      if (method === "roots/list" && roots !== undefined)
        return handled(async () => ({ result: { roots: await roots(server) } }));
      return undefined;
    },
  };
}

/** A handler is the host's code: what it throws becomes an error that tells the server nothing of it. */
async function handled(run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run();
  } catch {
    // The host sees its own exceptions; a server must not read them.
    return { error: { code: -32_603, message: "the client could not answer" } };
  }
}

async function askPerson(
  elicit: NonNullable<InputHandlers["elicit"]>,
  server: string,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Answer> {
  const request = readElicitation(server, params);
  if (request === undefined)
    return { error: { code: -32_602, message: "elicitation/create: mode, message, schema or url is wrong" } };
  return { result: answerOf(request, await elicit(request, signal)) };
}

function readElicitation(
  server: string,
  { mode = "form", message, requestedSchema, url, elicitationId }: Readonly<Record<string, unknown>>,
): ElicitRequest | undefined {
  if (typeof message !== "string") return undefined;
  if (mode === "form" && isRecord(requestedSchema)) return { mode, server, message, schema: requestedSchema };
  if (mode !== "url" || typeof url !== "string" || !/^https?:/.test(url)) return undefined;
  return { mode, server, message, url, ...(typeof elicitationId === "string" ? { elicitationId } : {}) };
}

function answerOf(request: ElicitRequest, answer: ElicitAnswer): object {
  if (answer.action !== "accept") return { action: answer.action === "cancel" ? "cancel" : "decline" };
  return request.mode === "url"
    ? { action: "accept" }
    : { action: "accept", content: withDefaults(request.schema, answer.content) };
}
