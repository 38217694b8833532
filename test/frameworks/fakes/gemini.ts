import { geminiJsonRefuses, geminiParametersRefuses } from "../accepts/google.js";
import type { Body, Dialect, Turn } from "./provider.js";

function responseOf(turn: Turn) {
  const parts: Body[] = turn.text === undefined ? [] : [{ text: turn.text }];
  for (const call of turn.calls ?? []) {
    parts.push({
      functionCall: { ...(call.id !== undefined && { id: call.id }), name: call.name, args: call.args ?? {} },
    });
  }
  return {
    candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    modelVersion: "gemini-test",
  };
}

/** Gemini generateContent. */
export const gemini: Dialect = {
  path: /:(?:generateContent|streamGenerateContent)/,
  streams: (_body, url) => url.includes("streamGenerateContent"),
  refuse: (body) => {
    for (const tool of body.tools ?? []) {
      for (const each of tool.functionDeclarations ?? []) {
        if (!/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/.test(each.name))
          return say(`Invalid function name ${each.name}`);
        if (each.parameters !== undefined && each.parametersJsonSchema !== undefined) {
          return say("parameters and parametersJsonSchema are mutually exclusive");
        }
        const problem =
          each.parameters === undefined
            ? each.parametersJsonSchema && geminiJsonRefuses(each.parametersJsonSchema)
            : geminiParametersRefuses(each.parameters);
        if (problem !== undefined) return say(problem);
      }
    }
    const contents: Body[] = body.contents ?? [];
    for (const [at, content] of contents.entries()) {
      const calls = count(content, "functionCall");
      if (content.role !== "model" || calls === 0) continue;
      if (count(contents[at + 1], "functionResponse") !== calls) {
        return say(
          "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
        );
      }
    }
    return undefined;
  },
  whole: responseOf,
  stream: (turn) => [`data: ${JSON.stringify(responseOf(turn))}\r\n\r\n`],
};

function count(content: Body, key: string): number {
  return (content?.parts ?? []).filter((part: Body) => key in part).length;
}

function say(message: string) {
  return {
    status: 400,
    body: { error: { code: 400, message, status: "INVALID_ARGUMENT" } },
  };
}
