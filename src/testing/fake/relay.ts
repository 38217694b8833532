/**
 * The program of a fake server's process: its stdin goes to the script's process, what the script says goes to its
 * stdout, and it obeys orders about itself (ProcessOrder). Arguments: port, token. Frames are a letter, four bytes of
 * length, and the body: H hello, I stdin, F stdin has ended; O stdout, E stderr, C order.
 */
export const relaySource = String.raw`
const net = require("node:net");
const { spawn } = require("node:child_process");
const [port, token] = process.argv.slice(1);
const socket = net.connect(Number(port), "127.0.0.1");
let ignoresEof = false;
const frame = (type, body) => {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5);
  head.write(type, 0);
  head.writeUInt32BE(bytes.length, 1);
  socket.write(Buffer.concat([head, bytes]));
};
const flood = (stream, left) => {
  const size = Math.min(left, 65536);
  if (size <= 0) return;
  stream.write(Buffer.alloc(size, "x"), () => setImmediate(flood, stream, left - size));
};
const drip = (text, at = 0) => {
  for (let n = 0; n < 64 && at < text.length; n++) process.stdout.write(text.subarray(at, ++at));
  if (at < text.length) setImmediate(drip, text, at);
};
const helper = (command, args, options) => spawn(command, args, options).on("error", () => {}).unref();
const orders = {
  exit: ({ code, signal }) => (signal === undefined ? process.exit(code) : process.kill(process.pid, signal)),
  drip: ({ text }) => drip(Buffer.from(text)),
  flood: ({ stream, bytes }) => flood(process[stream], bytes),
  "ignore-eof": () => (ignoresEof = true),
  "ignore-term": () => process.on("SIGTERM", () => {}),
  "stop-reading": () => process.stdin.pause(),
  "close-stdout": () => require("node:fs").closeSync(1),
  // libuv leaves the descriptor open, whatever is destroyed.
  "close-stdin": () => (process.stdin.destroy(), require("node:fs").closeSync(0)),
  fork: ({ held }) => helper("sleep", ["60"], { stdio: held ? ["ignore", "inherit", "ignore"] : "ignore" }),
  daemonise: () => helper("sh", ["-c", "setsid sleep 60 &"], { stdio: "ignore", detached: true }),
};
const handlers = {
  O: (body) => process.stdout.write(body),
  E: (body) => process.stderr.write(body),
  C: (body) => {
    const order = JSON.parse(body.toString());
    orders[order.do](order);
  },
};
let rest = Buffer.alloc(0);
socket.on("data", (chunk) => {
  rest = Buffer.concat([rest, chunk]);
  while (rest.length >= 5 && rest.length >= 5 + rest.readUInt32BE(1)) {
    const end = 5 + rest.readUInt32BE(1);
    const body = rest.subarray(5, end);
    const type = String.fromCharCode(rest[0]);
    rest = rest.subarray(end);
    handlers[type](body);
  }
});
socket.on("error", () => process.exit(1));
socket.on("close", () => process.exit(1));
process.stdout.on("error", () => {});
process.stdin.on("error", () => {});
frame("H", JSON.stringify({ token, pid: process.pid }));
process.stdin.on("data", (chunk) => frame("I", chunk));
process.stdin.on("end", () => {
  frame("F", "");
  if (!ignoresEof) process.exit(0);
});
`;
