import type { ServerState } from "../../../index.js";

/** Colour class of a state; a sign tells the same to those who do not see the colour. */
export type Tone = "good" | "busy" | "rest" | "wait" | "bad" | "off";

const tones: Readonly<Record<ServerState, Tone>> = {
  ready: "good",
  refreshing: "good",
  replacing: "good",
  connecting: "busy",
  initializing: "busy",
  listing: "busy",
  draining: "busy",
  closing: "busy",
  deciding: "wait",
  reconnecting: "wait",
  authorizing: "wait",
  idle: "rest",
  parked: "bad",
  stuck: "bad",
  disabled: "off",
  retired: "off",
};

const signs: Readonly<Record<Tone, string>> = {
  good: "●",
  busy: "◐",
  rest: "○",
  wait: "◔",
  bad: "■",
  off: "–",
};

export function toneOf(state: ServerState): Tone {
  return tones[state];
}

export function signOf(state: ServerState): string {
  return signs[tones[state]];
}
