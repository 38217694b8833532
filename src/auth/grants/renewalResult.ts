import type { Clock } from "../../clock.js";
import type { ConfiguredClient } from "../discovery/client.js";
import type { Ask } from "../door/ask.js";
import type { AccountRecord, NeedReason } from "./record.js";
import type { AccountFile } from "./store.js";

export interface RenewalInput {
  readonly file: AccountFile;
  readonly ask: Ask;
  readonly clock: Clock;
  readonly configured: ConfiguredClient & { readonly issuer?: string | undefined };
  /** The token that the server refused; undefined when it is only old. */
  readonly refused?: string | undefined;
  /** Learns each new secret before anything else does. */
  readonly learn: (secret: string | undefined) => void;
  readonly signal?: AbortSignal | undefined;
}

export type Renewal =
  /** Another process has done it: its result is on disk. */
  | { readonly kind: "adopted"; readonly record: AccountRecord }
  /** `saved` false: the disk refused it, and only this process has it. */
  | {
      readonly kind: "renewed";
      readonly record: AccountRecord;
      readonly rotated: boolean;
      readonly saved: boolean;
    }
  /** Nothing to renew with; only a person can help. */
  | { readonly kind: "needed"; readonly reason: NeedReason; readonly message: string };

export function needed(reason: NeedReason, message = "nobody has logged in yet"): Renewal {
  return { kind: "needed", reason, message };
}
