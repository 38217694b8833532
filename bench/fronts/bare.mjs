// The floor: one HTTP exchange of node:http with the parsing and writing that no server can leave out, and nothing behind it.
import { createServer } from "node:http";

const result = { content: [{ type: "text", text: "the answer to everything, in forty letters" }] };
const server = createServer((incoming, response) => {
  const chunks = [];
  incoming.on("data", (chunk) => chunks.push(chunk));
  incoming.on("end", () => {
    const { id } = JSON.parse(Buffer.concat(chunks).toString());
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, result }));
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
  });
});
server.listen(0, "127.0.0.1", () => process.send({ url: `http://127.0.0.1:${server.address().port}/mcp` }));
process.on("disconnect", () => process.exit());
