import type { Decision } from "../../../index.js";
import {
  decide,
  moveServer,
  removeConsumer,
  rotateConsumer,
  switchNetwork,
  type ServerAction,
} from "./api.js";
import { refresh } from "./link.js";
import { notify } from "./store.js";

const done: Record<ServerAction, string> = {
  connect: "connected",
  disconnect: "disconnected",
  restart: "restarted",
  enable: "enabled",
  disable: "disabled",
};

/** Asks the service to move a server and says how it went. */
export async function move(id: string, action: ServerAction): Promise<void> {
  await attempt(async () => {
    await moveServer(id, action);
    return `${id} ${done[action]}`;
  });
}

export async function answer(approval: string, decision: Decision): Promise<void> {
  await attempt(async () => {
    await decide(approval, decision);
    return decision === "deny" ? "denied" : "allowed";
  });
}

/** The new token; undefined when it could not be made, which was said. */
export async function renewConsumer(name: string): Promise<string | undefined> {
  let token: string | undefined;
  await attempt(async () => {
    ({ token } = await rotateConsumer(name));
    return `${name} has a new token; the old one is void`;
  });
  return token;
}

export async function revokeConsumer(name: string): Promise<void> {
  await attempt(async () => {
    await removeConsumer(name);
    return `${name} is revoked`;
  });
}

export async function setNetwork(enabled: boolean): Promise<void> {
  await attempt(async () => {
    await switchNetwork(enabled);
    return `the network is switched ${enabled ? "on" : "off"}`;
  });
}

async function attempt(action: () => Promise<string>): Promise<void> {
  try {
    notify("good", await action());
  } catch (error) {
    notify("bad", error instanceof Error ? error.message : String(error));
  }
  await refresh("all");
}
