import { GoogleGenAI } from "@google/genai";
import type { Content, FunctionCall } from "@google/genai";
import { googleTools } from "../../src/frameworks/google/index.js";
import type { Body } from "./fakes/provider.js";
import { holdsLoop } from "./loop.js";
import type { Tried } from "./loop.js";

const read: Pick<Tried, "answers" | "tools"> = {
  answers: (body) => {
    const parts: Body[] = body.contents.at(-1).parts;
    return parts
      .filter((part) => part.functionResponse !== undefined)
      .map(({ functionResponse: { id, response, parts: media } }) => ({
        id,
        text: JSON.stringify(response.output ?? response.error),
        images: (media ?? []).filter((each: Body) => each.inlineData !== undefined).length,
      }));
  },
  tools: (body) => body.tools[0].functionDeclarations.map((each: { name: string }) => each.name),
};

for (const openapi of [false, true]) {
  holdsLoop({
    name: `Gemini generateContent${openapi ? ", parameters" : ""}`,
    loop: async ({ url, world, stream, signal }) => {
      const ai = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: url } });
      const mcp = googleTools(world.supervisor, { openapi });
      const contents: Content[] = [{ role: "user", parts: [{ text: "go" }] }];
      const own = signal === undefined ? {} : { signal };
      for (;;) {
        const params = {
          model: "gemini-test",
          contents,
          config: { tools: mcp.tools(), ...(signal && { abortSignal: signal }) },
        };
        let content: Content = { role: "model", parts: [] };
        const calls: FunctionCall[] = [];
        if (stream) {
          for await (const chunk of await ai.models.generateContentStream(params)) {
            content.parts!.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
            calls.push(...(chunk.functionCalls ?? []));
          }
        } else {
          const response = await ai.models.generateContent(params);
          content = response.candidates![0]!.content!;
          calls.push(...(response.functionCalls ?? []));
        }
        contents.push(content);
        const answer = await mcp.run(calls, own);
        if (answer === undefined) return content.parts!.map((part) => part.text ?? "").join("");
        contents.push(answer);
      }
    },
    ...read,
  });
}

holdsLoop({
  name: "Gemini, automatic function calling",
  streams: [false],
  loop: async ({ url, world, signal }) => {
    const ai = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: url } });
    const mcp = googleTools(world.supervisor);
    const own = signal === undefined ? {} : { signal };
    const response = await ai.models.generateContent({
      model: "gemini-test",
      contents: "go",
      config: { tools: [mcp.callable(own)], ...(signal && { abortSignal: signal }) },
    });
    return response.text ?? "";
  },
  ...read,
});
