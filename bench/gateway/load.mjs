// Calls a tool over HTTP as cheaply as Node can, so that the front is what is measured.
import { Agent, request } from "node:http";

const words = { text: "a few words to send along" };

export function clientOf({ url, token, tool, args = words, answer = "forty letters" }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const { hostname, port, pathname } = new URL(url);
  let session;
  let count = 0;

  function send(message) {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          agent,
          hostname,
          port,
          path: pathname,
          method: "POST",
          headers: {
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            "content-length": Buffer.byteLength(body),
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            ...(session === undefined
              ? {}
              : { "mcp-session-id": session, "mcp-protocol-version": "2025-06-18" }),
          },
        },
        (response) => {
          let text = "";
          response.setEncoding("utf8");
          response.on("data", (chunk) => (text += chunk));
          response.on("end", () => resolve({ response, text }));
          response.on("error", reject);
        },
      );
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  }

  return {
    async open() {
      const params = {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "bench", version: "1" },
      };
      const { response, text } = await send({ id: 0, method: "initialize", params });
      if (response.statusCode >= 300) throw new Error(`initialize: ${response.statusCode} ${text}`);
      session = response.headers["mcp-session-id"];
      if (session !== undefined) await send({ method: "notifications/initialized" });
    },
    async call() {
      const params = { name: tool, arguments: args };
      const { text } = await send({ id: ++count, method: "tools/call", params });
      if (!text.includes(answer)) throw new Error(`an odd answer: ${text.slice(0, 300)}`);
    },
    close: () => agent.destroy(),
  };
}

/** `total` calls, `inFlight` at a time; the duration of each, in ms. */
export async function run(call, total, inFlight) {
  const times = [];
  let left = total;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (left-- > 0) {
        const start = performance.now();
        await call();
        times.push(performance.now() - start);
      }
    }),
  );
  return times;
}
