import { constants } from "node:os";
import type { Clock } from "../clock.js";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
export type HostSignal = (typeof signals)[number];

/** One supervisor's part in the end of the host. */
export interface HostGuest {
  /** The host got a signal: end everything, in 8 s at most. */
  onHostSignal(signal: HostSignal): Promise<void>;
  /** The host is exiting or was signalled again: end everything now, without waiting. */
  killAllNow(): void;
}

const graceMs = 8000;
const guests = new Set<HostGuest>();
let stopping = false;
let clock: Clock | undefined;

/**
 * Joins the hooks of this process: one listener per signal however many supervisors there are. The first signal
 * stops all of them, then ends the host with 128 + its number, unless the host listens for that signal itself and
 * so decides on its own; a second one ends it at once. Returns the function that leaves; after the last one has
 * left nothing of ours listens any more.
 */
export function joinHostHooks(guest: HostGuest, time: Clock): () => void {
  if (guests.size === 0) listen(time);
  guests.add(guest);
  return () => {
    if (guests.delete(guest) && guests.size === 0 && !stopping) unlisten();
  };
}

function listen(time: Clock): void {
  clock = time;
  for (const signal of signals) process.on(signal, onSignal);
  // Also the way out after an uncaught exception: Node emits it in every case but a death by signal.
  process.on("exit", killAll);
}

function unlisten(): void {
  for (const signal of signals) process.off(signal, onSignal);
  process.off("exit", killAll);
}

function onSignal(signal: NodeJS.Signals): void {
  if (stopping) {
    killAll();
    process.exit(128 + constants.signals[signal]);
  }
  stopping = true;
  void stopHost(signal as HostSignal);
}

async function stopHost(signal: HostSignal): Promise<void> {
  const hostDecides = await stopAll(signal);
  stopping = false;
  if (!hostDecides) process.exit(128 + constants.signals[signal]);
  if (guests.size === 0) unlisten();
}

/** Resolves with whether the host has a listener of its own and will decide what becomes of it. */
async function stopAll(signal: HostSignal): Promise<boolean> {
  const hostDecides = process.listenerCount(signal) > 1;
  const inTime = new Promise<void>((resolve) => void clock?.setTimeout(resolve, graceMs));
  const stops = [...guests].map((guest) => guest.onHostSignal(signal));
  await Promise.race([Promise.allSettled(stops), inTime]);
  killAll();
  return hostDecides;
}

function killAll(): void {
  for (const guest of guests) guest.killAllNow();
}
