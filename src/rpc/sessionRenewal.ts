import type { Cause } from "../errors.js";
import type { Channel } from "./channel.js";
import type { PendingRequest } from "./pending.js";

/** Requests that a dead HTTP session refused: they wait for one new session, then go out once more under a new id. */
export class SessionRenewal {
  readonly #channel: Channel;
  readonly #renew: () => Promise<Cause | undefined>;
  #renewing: Promise<Cause | undefined> | undefined;

  constructor(channel: Channel, renew: () => Promise<Cause | undefined>) {
    this.#channel = channel;
    this.#renew = renew;
  }

  /** `isRenewed`: the new session is there already. */
  async resend(request: PendingRequest, isRenewed: boolean): Promise<void> {
    request.resends++;
    if (!isRenewed)
      this.#renewing ??= this.#renew().finally(() => {
        this.#renewing = undefined;
      });
    const cause = (await this.#renewing) ?? (this.#channel.open ? this.#channel.send(request) : closedCause);
    if (cause !== undefined) request.settle({ kind: "refused", cause });
  }
}

const closedCause: Cause = {
  kind: "session-lost",
  message: "the connection ended while a new session was made",
};
