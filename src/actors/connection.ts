import type { Cause } from "../errors.js";
import { legacyCodec } from "../protocol/codec.js";
import { preferredLegacy } from "../protocol/revision.js";
import { openChannel } from "../rpc/liveChannel.js";
import type { Channel } from "../rpc/channel.js";
import type { ChannelHooks } from "../rpc/hooks.js";
import type { Transport, TransportEnd } from "../transport/transport.js";

/** One transport with the conversation over it. A life has one at a time; what an abandoned one still says is not heard. */
export class Connection {
  readonly transport: Transport;
  channel: Channel | undefined;
  #isAbandoned = false;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Resolves when requests may be sent; rejects with ConnectError. */
  async open(hooks: ChannelHooks): Promise<Channel> {
    this.channel = await openChannel(this.transport, legacyCodec(preferredLegacy), {
      ...hooks,
      onClosed: (cause) => {
        if (!this.#isAbandoned) hooks.onClosed(cause);
      },
    });
    return this.channel;
  }

  /** Ends conversation, connection and process; resolves with what is left. */
  close(cause: Cause): Promise<TransportEnd> {
    this.#isAbandoned = true;
    this.channel?.end(cause);
    return this.transport.close();
  }
}
