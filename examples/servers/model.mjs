// A stand-in for a model, so that the examples of agents run without a key: it greets Ada with the first tool whose name
// ends in "greet", and repeats what the tool said. It speaks the APIs of OpenAI, Anthropic and Google.
import { createServer } from "node:http";

/** Where the stand-in listens; it ends with the program. */
export async function pretendModel() {
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => (text += chunk));
    request.on("end", () => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(answer(request.url, JSON.parse(text))));
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  server.unref();
  return `http://127.0.0.1:${server.address().port}`;
}

function answer(url, body) {
  const said = JSON.stringify(body.messages ?? body.contents).match(/Hello, \w+!/)?.[0];
  const text = said && `The tool says: ${said}`;
  const args = { name: "Ada" };
  if (url.endsWith("/chat/completions")) {
    const name = body.tools.find((tool) => tool.function.name.endsWith("greet")).function.name;
    const tool_calls = [
      { id: "call_1", type: "function", function: { name, arguments: JSON.stringify(args) } },
    ];
    const message = { role: "assistant", content: text ?? null, ...(!text && { tool_calls }) };
    const choice = { index: 0, message, finish_reason: text ? "stop" : "tool_calls" };
    return {
      id: `chat-${body.messages.length}`,
      object: "chat.completion",
      created: 0,
      model: body.model,
      choices: [choice],
      usage: {},
    };
  }
  if (url.startsWith("/v1/messages")) {
    const name = body.tools.find((tool) => tool.name.endsWith("greet")).name;
    const block = text ? { type: "text", text } : { type: "tool_use", id: "toolu_1", name, input: args };
    const stop_reason = text ? "end_turn" : "tool_use";
    return {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: body.model,
      content: [block],
      stop_reason,
      usage: {},
    };
  }
  const name = body.tools[0].functionDeclarations.find((tool) => tool.name.endsWith("greet")).name;
  const part = text ? { text } : { functionCall: { name, args } };
  return { candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP" }] };
}
