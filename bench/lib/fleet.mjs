import { rmSync } from "node:fs";
import { adapterOf, stdioServer } from "./setup.mjs";

const target = { command: process.execPath, args: [stdioServer] };

/** Gives a function that starts so many stdio servers together, waits for their tools, and gives what ends them. */
export async function fleetOf(name) {
  const adapter = await adapterOf(name);
  return name === "mcpvisor" ? (count) => supervised(adapter, count) : (count) => singly(adapter, count);
}

async function supervised(adapter, count) {
  const fleet = Array.from({ length: count }, (_, at) => ({ id: `s${at}`, ...target }));
  const { supervisor, home } = adapter.create(fleet);
  await supervisor.ready();
  if (supervisor.tools().length !== count * 2) throw new Error("not every server listed its tools");
  return async () => {
    await supervisor.stop();
    rmSync(home, { recursive: true, force: true });
  };
}

async function singly(adapter, count) {
  const open = async () => {
    const client = await adapter.connect({ kind: "stdio", ...target });
    await client.listTools();
    return client;
  };
  const clients = await Promise.all(Array.from({ length: count }, open));
  return () => Promise.all(clients.map((each) => each.close()));
}
