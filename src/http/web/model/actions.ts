import type { Decision, ServerConfig, ServerStatus } from "../../../index.js";
import { decide, moveServer, saveServer, type ServerAction } from "./api.js";
import { refresh } from "./link.js";
import { notify } from "./store.js";

const done: Record<ServerAction, string> = {
  connect: "connected",
  disconnect: "disconnected",
  restart: "restarted",
};

/** Asks the service to move a server and says how it went. */
export async function move(id: string, action: ServerAction): Promise<void> {
  await attempt(async () => {
    await moveServer(id, action);
    return `${id} ${done[action]}`;
  });
}

/** Switches a server on or off; the rest of its entry stays as it is. */
export async function setEnabled(server: ServerStatus, enabled: boolean): Promise<void> {
  await attempt(async () => {
    await saveServer({ ...entryOf(server), enabled });
    return `${server.id} ${enabled ? "enabled" : "disabled"}`;
  });
}

export async function answer(approval: string, decision: Decision): Promise<void> {
  await attempt(async () => {
    await decide(approval, decision);
    return decision === "deny" ? "denied" : "allowed";
  });
}

function entryOf({ id, name, target, transport }: ServerStatus): ServerConfig {
  const { kind: _kind, ...rest } = target;
  return { id, name, ...(transport === "memory" ? {} : { transport }), ...rest };
}

async function attempt(action: () => Promise<string>): Promise<void> {
  try {
    notify("good", await action());
  } catch (error) {
    notify("bad", error instanceof Error ? error.message : String(error));
  }
  await refresh("all");
}
