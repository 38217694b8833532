import { block, sequence } from "../lib/blocks.mjs";
import { connect, parameters, report, startHttp } from "../lib/setup.mjs";

/** One client alone, for a CPU profile. */
const { kind, client: name, inFlight, count } = parameters();
const http = kind === "stdio" ? undefined : await startHttp();
const client = await connect(name, kind, { port: http?.port, limits: { inFlight: Math.max(16, inFlight) } });
await client.listTools();
const call = () => client.callTool("echo", { text: "what is the answer" });
const run = (calls) => (inFlight === 1 ? sequence(call, calls) : block(call, calls, inFlight));
await run(Math.ceil(count / 10));
const result = await run(count);
await client.close();
http?.stop();
report(result);
