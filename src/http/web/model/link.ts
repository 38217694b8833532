import type { Fact } from "../../../index.js";
import {
  ApiError,
  listAccounts,
  listApprovals,
  listConsumers,
  listProblems,
  listServers,
  listTools,
  readNetwork,
} from "./api.js";
import { openFeed } from "./feed.js";
import * as store from "./store.js";

/** Closes the feed that is open. */
let close: (() => void) | undefined;
let lastSeq = 0;
let epoch = "";
let tries = 0;
let pending: Fact[] = [];
let frame = false;

/** Opens the feed where it was left, and keeps opening it. */
export function openLink(): void {
  close?.();
  close = openFeed(`/api/mcp/events?after=${lastSeq}`, {
    event(type, data) {
      if (type === "hello") onHello(JSON.parse(data) as Hello);
      else if (type === "reset") store.gap.value = store.history.value.facts.length > 0;
      else if (type.startsWith("mcp.")) onFact(data);
    },
    lost: () => void onLost(),
  });
}

interface Hello {
  readonly epoch: string;
  readonly seq: number;
}

/** A new epoch is a new process with its own numbers: begin from its first fact. */
function onHello(hello: Hello): void {
  tries = 0;
  if (epoch !== "" && epoch !== hello.epoch) {
    epoch = hello.epoch;
    lastSeq = 0;
    store.forgetHistory();
    openLink();
    return;
  }
  epoch = hello.epoch;
  store.link.value = "live";
  void refresh("all");
}

function onFact(data: string): void {
  const fact = JSON.parse(data) as Fact;
  if (fact.seq <= lastSeq) return;
  lastSeq = fact.seq;
  pending.push(fact);
  if (frame) return;
  frame = true;
  // A timer, not an animation frame: a page in the background still takes what comes.
  setTimeout(flush, 80);
}

/** Facts after which tools or accounts may be others. */
const listChangers = /^mcp\.(?:tools|connected|auth\..+)$/;

function flush(): void {
  frame = false;
  const facts = pending;
  pending = [];
  store.take(facts);
  if (facts.some((fact) => listChangers.test(fact.type))) void refresh("all");
  else if (facts.some((fact) => fact.type.startsWith("mcp.approval"))) void refresh("approvals");
  else void refresh("servers");
}

/** A service that hangs keeps its connections open: it is asked for a sign of life as well. */
export function watchLink(everyMs = 5000): void {
  setInterval(() => {
    if (store.link.value !== "live" || close === undefined) return;
    const asked = close;
    readNetwork(AbortSignal.timeout(everyMs)).catch(() => {
      if (close !== asked || store.link.value !== "live") return;
      asked();
      void onLost();
    });
  }, everyMs);
}

async function onLost(): Promise<void> {
  close = undefined;
  if (store.link.value !== "lost" && store.link.value !== "locked") store.lostAt.value = Date.now();
  const locked = await isLocked();
  store.link.value = locked ? "locked" : "lost";
  if (locked || close !== undefined) return;
  tries++;
  setTimeout(openLink, Math.min(5000, 250 * 2 ** tries));
}

async function isLocked(): Promise<boolean> {
  try {
    await listServers(AbortSignal.timeout(5000));
    return false;
  } catch (error) {
    return error instanceof ApiError && error.status === 401;
  }
}

let running = false;
let again: "all" | "approvals" | "servers" | undefined;

/** Reads the lists anew; asked for often, it runs once at a time and at most every quarter of a second. */
export async function refresh(what: "all" | "approvals" | "servers"): Promise<void> {
  if (running) {
    again =
      again === "all" || what === "all"
        ? "all"
        : what === "approvals" || again === "approvals"
          ? "approvals"
          : what;
    return;
  }
  running = true;
  try {
    store.servers.value = await listServers();
    store.consumers.value = await listConsumers();
    if (what !== "all") store.loaded.value ||= store.servers.value.length > 0;
    if (what !== "servers") store.approvals.value = await listApprovals();
    if (what === "all") {
      store.tools.value = await listTools();
      store.accounts.value = await listAccounts();
      store.problems.value = await listProblems();
      store.network.value = (await readNetwork()).enabled;
      store.loaded.value = true;
    }
  } catch {
    // The feed notices by itself that nobody answers, and says so.
  }
  await new Promise((resolve) => setTimeout(resolve, 250));
  running = false;
  const next = again;
  again = undefined;
  if (next !== undefined) void refresh(next);
}
