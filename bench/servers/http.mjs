import { createServer } from "node:http";
import { answer } from "./answers.mjs";

/** Streamable HTTP: answers under /json are JSON, under /sse streams of one event. Prints its port. */
const server = createServer((request, response) => {
  if (request.method !== "POST") return void response.writeHead(405).end();
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const text = answer(JSON.parse(Buffer.concat(chunks).toString()));
    if (text === "") return void response.writeHead(202).end();
    if (request.url !== "/sse") {
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
      return void response.writeHead(200, headers).end(text);
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`event: message\ndata: ${text}\n\n`);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.stdin.on("end", () => process.exit());
process.stdin.resume();
