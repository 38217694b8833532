import { openaiRefuses } from "../accepts/openai.js";
import type { Body, Dialect, Turn } from "./provider.js";
import { event, jsonOf, pieces, usage } from "./text.js";

/** Hosts merge messages of one id. */
let count = 0;
const base = (body: Body) => ({
  id: `chatcmpl-${count}`,
  created: 1_760_000_000,
  model: body.model ?? "gpt-test",
});

function callsOf(turn: Turn) {
  return (turn.calls ?? []).map((call, at) => ({
    id: call.id ?? `call_${at}`,
    type: "function",
    function: { name: call.name, arguments: jsonOf(call.args) },
  }));
}

/** OpenAI chat completions. */
export const chat: Dialect = {
  path: /\/chat\/completions$/,
  streams: (body) => body.stream === true,
  refuse: (body) => {
    count++;
    for (const [at, tool] of (body.tools ?? []).entries()) {
      const { name, description, parameters, strict } = tool.function;
      const where = `tools[${at}].function`;
      if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return say(`Invalid '${where}.name'`, where, "invalid_value");
      if ((description ?? "").length > 1024) {
        return say(`Invalid '${where}.description': string too long.`, where, "string_above_max_length");
      }
      const problem = openaiRefuses(name, parameters, strict === true);
      if (problem !== undefined) return say(problem, `${where}.parameters`, "invalid_function_parameters");
    }
    return unanswered(body.messages ?? []);
  },
  whole: (turn, body) => ({
    ...base(body),
    object: "chat.completion",
    choices: [
      {
        index: 0,
        finish_reason: turn.calls === undefined ? "stop" : "tool_calls",
        logprobs: null,
        message: {
          role: "assistant",
          content: turn.text ?? null,
          refusal: null,
          ...(turn.calls !== undefined && { tool_calls: callsOf(turn) }),
        },
      },
    ],
    usage,
  }),
  stream: (turn, body) => {
    const chunk = (delta: unknown, finish: string | null = null) =>
      event({
        ...base(body),
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
      });
    return [
      chunk({ role: "assistant", content: "" }),
      ...pieces(turn.text ?? "").map((content) => chunk({ content })),
      ...callsOf(turn).flatMap((call, index) => [
        chunk({ tool_calls: [{ index, ...call, function: { name: call.function.name, arguments: "" } }] }),
        ...pieces(call.function.arguments).map((text) =>
          chunk({ tool_calls: [{ index, function: { arguments: text } }] }),
        ),
      ]),
      chunk({}, turn.calls === undefined ? "stop" : "tool_calls"),
      event({ ...base(body), object: "chat.completion.chunk", choices: [], usage }),
      "data: [DONE]\n\n",
    ];
  },
};

/** Every call must be answered right after its message, each once. */
function unanswered(messages: Body[]): ReturnType<Dialect["refuse"]> {
  for (const [at, message] of messages.entries()) {
    if (message.role !== "assistant" || message.tool_calls === undefined) continue;
    const wanted = [...new Set<string>(message.tool_calls.map((call: Body) => call.id))];
    const answers: string[] = [];
    for (let next = at + 1; messages[next]?.role === "tool"; next++)
      answers.push(messages[next].tool_call_id);
    if (wanted.join() === [...answers].join()) continue;
    return {
      status: 400,
      body: {
        error: {
          message: `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id' (wanted ${wanted.join()}, got ${answers.join()}).`,
          type: "invalid_request_error",
          param: `messages.[${at + 1}].role`,
          code: null,
        },
      },
    };
  }
  return undefined;
}

function say(message: string, param: string, code: string) {
  return {
    status: 400,
    body: { error: { message, type: "invalid_request_error", param, code } },
  };
}
