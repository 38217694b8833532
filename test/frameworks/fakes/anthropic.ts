import { anthropicRefuses } from "../accepts/anthropic.js";
import type { Body, Dialect, Turn } from "./provider.js";
import { event, jsonOf, pieces } from "./text.js";

function contentOf(turn: Turn): Body[] {
  const text = turn.text === undefined ? [] : [{ type: "text", text: turn.text, citations: null }];
  const calls = (turn.calls ?? []).map((call, at) => ({
    type: "tool_use",
    id: call.id ?? `toolu_${at}`,
    name: call.name,
    input: call.args ?? {},
  }));
  return [...text, ...calls];
}

const message = (turn: Turn, body: Body) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: body.model ?? "claude-test",
  content: contentOf(turn),
  stop_reason: turn.calls === undefined ? "end_turn" : "tool_use",
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
});

/** Anthropic messages. */
export const anthropic: Dialect = {
  path: /\/messages(?:\?|$)/,
  streams: (body) => body.stream === true,
  refuse: (body) => {
    for (const [at, tool] of (body.tools ?? []).entries()) {
      if (!/^[a-zA-Z0-9_-]{1,128}$/.test(tool.name))
        return say(`tools.${at}.custom.name: String should match pattern`);
      const problem = anthropicRefuses(at, tool.input_schema, tool.strict === true);
      if (problem !== undefined) return say(problem);
    }
    for (const [at, each] of (body.messages ?? []).entries()) {
      const uses = blocksOf(each).filter((block) => block.type === "tool_use");
      if (each.role !== "assistant" || uses.length === 0) continue;
      const ids = blocksOf(body.messages[at + 1] ?? {})
        .filter((block) => block.type === "tool_result")
        .map((block) => block.tool_use_id);
      if (new Set(ids).size !== ids.length)
        return say(`messages.${at + 1}.content: each tool_use must have a single result.`);
      const missing = uses.find((block) => !ids.includes(block.id));
      if (missing !== undefined) {
        return say(
          `messages.${at + 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.id}.`,
        );
      }
      for (const block of blocksOf(body.messages[at + 1])) {
        const empty =
          block.content === "" ||
          (Array.isArray(block.content) && block.content.some((part: Body) => part.text === ""));
        if (block.type === "tool_result" && empty) return say("text content blocks must be non-empty");
        if (
          block.is_error &&
          Array.isArray(block.content) &&
          block.content.some((part: Body) => part.type !== "text")
        ) {
          return say('all content must be type "text" if "is_error" is true');
        }
      }
    }
    return undefined;
  },
  whole: message,
  stream: (turn, body) => {
    const whole = message(turn, body);
    const lines = [
      event(
        { type: "message_start", message: { ...whole, content: [], stop_reason: null } },
        "message_start",
      ),
    ];
    for (const [index, block] of whole.content.entries()) {
      const start = block.type === "text" ? { ...block, text: "" } : { ...block, input: {} };
      lines.push(event({ type: "content_block_start", index, content_block: start }, "content_block_start"));
      const deltas =
        block.type === "text"
          ? pieces(block.text).map((text) => ({ type: "text_delta", text }))
          : pieces(jsonOf(block.input)).map((partial_json) => ({ type: "input_json_delta", partial_json }));
      for (const delta of deltas)
        lines.push(event({ type: "content_block_delta", index, delta }, "content_block_delta"));
      lines.push(event({ type: "content_block_stop", index }, "content_block_stop"));
    }
    const delta = { stop_reason: whole.stop_reason, stop_sequence: null };
    lines.push(event({ type: "message_delta", delta, usage: { output_tokens: 5 } }, "message_delta"));
    lines.push(event({ type: "message_stop" }, "message_stop"));
    return lines;
  },
};

function blocksOf(each: Body): Body[] {
  return Array.isArray(each?.content) ? each.content : [];
}

function say(text: string) {
  return {
    status: 400,
    body: { type: "error", error: { type: "invalid_request_error", message: text }, request_id: "req_1" },
  };
}
