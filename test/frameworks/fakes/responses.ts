import { openaiRefuses } from "../accepts/openai.js";
import type { Body, Dialect, Turn } from "./provider.js";
import { event, jsonOf } from "./text.js";

function itemsOf(turn: Turn): Body[] {
  const items: Body[] = [];
  if (turn.text !== undefined) {
    items.push({
      id: "msg_1",
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: turn.text, annotations: [] }],
    });
  }
  for (const [at, call] of (turn.calls ?? []).entries()) {
    items.push({
      id: `fc_${at}`,
      type: "function_call",
      status: "completed",
      call_id: call.id ?? `call_${at}`,
      name: call.name,
      arguments: jsonOf(call.args),
    });
  }
  return items;
}

function responseOf(turn: Turn, body: Body, status: string) {
  return {
    id: "resp_1",
    object: "response",
    created_at: 1_760_000_000,
    status,
    model: body.model ?? "gpt-test",
    output: status === "completed" ? itemsOf(turn) : [],
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: "auto",
    tools: body.tools ?? [],
    top_p: 1,
    usage: {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 15,
    },
  };
}

/** OpenAI Responses. */
export const responses: Dialect = {
  path: /\/responses$/,
  streams: (body) => body.stream === true,
  refuse: (body) => {
    for (const [at, tool] of (body.tools ?? []).entries()) {
      const problem = openaiRefuses(tool.name, tool.parameters, tool.strict !== false);
      if (problem !== undefined) return say(problem, `tools[${at}].parameters`);
    }
    const input: Body[] = Array.isArray(body.input) ? body.input : [];
    const calls = new Set(input.filter((item) => item.type === "function_call").map((item) => item.call_id));
    for (const item of input) {
      if (item.type === "function_call_output" && !calls.delete(item.call_id)) {
        return say(`No tool call found for function call output with call_id ${item.call_id}.`, "input");
      }
    }
    const [open] = calls;
    return open === undefined ? undefined : say(`No tool output found for function call ${open}.`, "input");
  },
  whole: (turn, body) => responseOf(turn, body, "completed"),
  stream: (turn, body) => {
    let sequence = 0;
    const tell = (type: string, data: object) => event({ type, sequence_number: sequence++, ...data }, type);
    const lines = [tell("response.created", { response: responseOf(turn, body, "in_progress") })];
    for (const [output_index, item] of itemsOf(turn).entries()) {
      const at = { output_index, item_id: item.id };
      if (item.type === "message") {
        const { text } = item.content[0];
        lines.push(
          tell("response.output_item.added", {
            output_index,
            item: { ...item, status: "in_progress", content: [] },
          }),
          tell("response.content_part.added", {
            ...at,
            content_index: 0,
            part: { type: "output_text", text: "", annotations: [] },
          }),
          tell("response.output_text.delta", { ...at, content_index: 0, delta: text }),
          tell("response.output_text.done", { ...at, content_index: 0, text }),
          tell("response.content_part.done", { ...at, content_index: 0, part: item.content[0] }),
        );
      } else {
        lines.push(
          tell("response.output_item.added", {
            output_index,
            item: { ...item, status: "in_progress", arguments: "" },
          }),
          tell("response.function_call_arguments.delta", { ...at, delta: item.arguments }),
          tell("response.function_call_arguments.done", {
            ...at,
            arguments: item.arguments,
            name: item.name,
          }),
        );
      }
      lines.push(tell("response.output_item.done", { output_index, item }));
    }
    lines.push(tell("response.completed", { response: responseOf(turn, body, "completed") }));
    return lines;
  },
};

function say(message: string, param: string) {
  return {
    status: 400,
    body: { error: { message, type: "invalid_request_error", param, code: "invalid_function_parameters" } },
  };
}
