import type { Clock } from "../../clock.js";
import type { AccountRecord } from "./record.js";
import type { AccountFile } from "./store.js";

const everyMs = 5000;

/** A renewed grant that the disk refused: it serves from memory, and is written as soon as that works. */
export class Unsaved {
  readonly #file: AccountFile;
  readonly #clock: Clock;
  #pending: { readonly record: AccountRecord; readonly began: string } | undefined;

  constructor(file: AccountFile, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
  }

  get isPending(): boolean {
    return this.#pending !== undefined;
  }

  /** `began` is the access token that it was made out of: only over that one it is written. */
  keep(record: AccountRecord, began: string): void {
    this.#pending = { record, began };
    this.#later();
  }

  #later(): void {
    this.#clock.setTimeout(() => void this.#save(), everyMs);
  }

  async #save(): Promise<void> {
    const pending = this.#pending;
    if (pending === undefined) return;
    try {
      await this.#file.exclusively(async (held) => {
        if ((await held.read())?.grant?.accessToken === pending.began) await held.write(pending.record);
      });
      this.#pending = undefined;
    } catch {
      // The disk still refuses.
      this.#later();
    }
  }
}
