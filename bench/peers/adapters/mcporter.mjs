import { createRuntime } from "mcporter";

/** `mcporter` as a library. */
export async function connect({ kind, command, args, env, url }) {
  const target =
    kind === "stdio"
      ? { kind: "stdio", command, args, cwd: process.cwd() }
      : { kind: "http", url: new URL(url) };
  const runtime = await createRuntime({
    servers: [{ name: "bench", command: target, ...(env ? { env } : {}) }],
  });
  await runtime.connect("bench");
  return {
    listTools: () => runtime.listTools("bench"),
    callTool: (name, given) => runtime.callTool("bench", name, { args: given }),
    close: () => runtime.close(),
  };
}
