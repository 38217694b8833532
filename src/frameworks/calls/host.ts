import type { Fleet, Offer, OfferOptions } from "../contract/offer.js";
import { offerOf } from "../offer/offer.js";
import type { Provider } from "../contract/schema.js";
import { batchRunner } from "./runCalls.js";
import { callRunner } from "./callRunner.js";
import type { RunCall } from "./callRunner.js";
import { readArguments } from "./readArguments.js";
import type { CallOutcome, ModelCall, RunOptions } from "../contract/calls.js";

/** How every adapter takes its tools and runs them; a call's own options stand above these. */
export interface HostOptions extends OfferOptions, Omit<RunOptions, "signal" | "onProgress"> {}

/** What the adapters share. */
export interface Host {
  /** The tools that are offered now. */
  readonly offer: Offer;
  /** Runs one call. Never rejects. */
  readonly runCall: RunCall;
  /** The calls of one message: together, in order, each settled once. Never rejects. */
  readonly run: (calls: readonly ModelCall[], options?: RunOptions) => Promise<readonly CallOutcome[]>;
  /** Whether a call needs a person's consent now. */
  readonly asks: (name: string, args: unknown) => boolean;
}

/** What an adapter for another framework needs: the tools as a provider takes them, and a runner of calls. */
export function hostOf(fleet: Fleet, provider: Provider, options: HostOptions): Host {
  const offer = offerOf(fleet, provider, options);
  const { timeout, caller, approve, resultCharacters } = options;
  const defaults: RunOptions = {
    ...(timeout !== undefined && { timeout }),
    ...(caller !== undefined && { caller }),
    ...(approve !== undefined && { approve }),
    ...(resultCharacters !== undefined && { resultCharacters }),
  };
  const plain = callRunner(fleet, offer);
  const runCall: RunCall = (call, own) => plain(call, own === undefined ? defaults : { ...defaults, ...own });

  function asks(name: string, args: unknown): boolean {
    if (name === "call_tool") {
      const read = readArguments(name, args);
      const inner = read.ok ? read.value["name"] : undefined;
      return typeof inner === "string" && offer.find(inner)?.descriptor?.permission === "ask";
    }
    return offer.find(name)?.descriptor?.permission === "ask";
  }

  return { offer, runCall, run: batchRunner(offer, runCall), asks };
}
