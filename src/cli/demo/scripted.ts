import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fakeServer, type FakeServer } from "../../testing/index.js";

/** Servers that need no package: two processes and one that is reached over HTTP, for where the official ones are not. */
export async function scriptedServers(files: string): Promise<readonly FakeServer[]> {
  const graph: string[] = [];
  return Promise.all([
    fakeServer({
      id: "files",
      over: "stdio",
      tools: [
        {
          name: "list_directory",
          description: "Names of the files",
          answer: () => readdirSync(files).join("\n"),
        },
        {
          name: "read_text_file",
          description: "The text of one file",
          inputSchema: text("path"),
          answer: ({ path }) => readFileSync(join(files, basename(String(path))), "utf8"),
        },
      ],
    }),
    fakeServer({
      id: "memory",
      over: "stdio",
      tools: [
        {
          name: "read_graph",
          description: "All that is known",
          answer: () => graph.join("\n") || "nothing is known yet",
        },
        {
          name: "remember",
          description: "Keeps one sentence",
          inputSchema: text("text"),
          answer: (args) => `${graph.push(String(args["text"]))} things are known`,
        },
      ],
    }),
    fakeServer({
      id: "everything-http",
      over: "http",
      tools: [
        {
          name: "echo",
          description: "Says what it was told",
          inputSchema: text("message"),
          answer: ({ message }) => `Echo: ${String(message)}`,
        },
      ],
    }),
  ]);
}

function text(name: string): object {
  return { type: "object", properties: { [name]: { type: "string" } }, required: [name] };
}
