import type { Clock, Supervisor } from "../../index.js";
import type { Feed, FeedLimits } from "../feed/feed.js";
import type { Recognize } from "../guard/auth.js";
import type { GuardRules } from "../guard/guard.js";
import type { Metrics } from "../telemetry/metrics.js";
import type { LoginDesk } from "./loginDesk.js";
import type { Sessions } from "../guard/sessions.js";

/** How the API is guarded and what it offers. Exactly one of `token` and `authorize` decides who may come in. */
export interface ApiOptions {
  /** Compared in constant time with the bearer token of a request; may do everything. */
  readonly token?: string;
  /** A second token, for agents: it may see and call tools, and neither decide nor edit. Default: there is none. */
  readonly agentToken?: string;
  /** For a host with its own logins: true lets this request in to do everything, `agent` as the agent's token does. */
  readonly authorize?: (request: Request) => boolean | "agent" | Promise<boolean | "agent">;
  /** Exact Host values to answer to. Default: the three loopback names, any port. */
  readonly hosts?: readonly string[];
  /** Exact Origin values to allow. Default: like `hosts`, with http. */
  readonly origins?: readonly string[];
  /** Instead of `hosts` and `origins`: rules that are filled in later, once the port is known. */
  readonly rules?: GuardRules;
  /** Folder with the built dashboard, false for none. Default: the one that comes with the package. */
  readonly dashboard?: string | false;
  /** Prometheus text at /metrics (exposition format 0.0.4). Default: true. */
  readonly metrics?: boolean;
  /** Limits of the feed, and of request bodies. */
  readonly limits?: Partial<FeedLimits> & {
    /** A request body, in bytes; a larger one gets 413. Default: 4 MiB. */
    readonly bodyBytes?: number;
  };
  /** Where the dashboard is reached, for one-time links asked for over the API. Default: links have a path only. */
  readonly baseUrl?: () => string;
  /** The consumers of the gateway, when one is mounted: listed, added and revoked over the API. */
  readonly consumers?: ConsumerAdmin;
  /** Where time and timers come from. Default: `realClock`. */
  readonly clock?: Clock;
  /** Told about failures of the service itself (500), which are never shown to the caller. Default: nobody is. */
  readonly onError?: (error: unknown) => void;
}

/** Who looks after the consumers of the gateway. */
export interface ConsumerAdmin {
  /** All consumers, as the API tells of them; without secrets. */
  list(): readonly object[];
  /** Adds a consumer or changes a known one; a new one has a token, void at `expiresAt` (epoch ms), never shown again. */
  add(
    name: string,
    config: object,
    expiresAt?: number,
  ):
    | {
        /** Only of a new consumer. */
        readonly token?: string;
      }
    | {
        /** Why nothing was done, in one sentence. */
        readonly problem: string;
      };
  /**
   * Gives a new token, void at `expiresAt` (epoch ms); the old one is void at once. Undefined: there is no such
   * consumer.
   */
  rotate(name: string, expiresAt?: number): string | undefined;
  /** Removes a consumer; its token is void at once. False: there is none. */
  remove(name: string): boolean;
}

/** What the routes work with. */
export interface ApiParts {
  readonly supervisor: Supervisor;
  readonly feed: Feed;
  readonly sessions: Sessions | undefined;
  readonly recognize: Recognize;
  readonly metrics: Promise<Metrics | undefined>;
  readonly logins: LoginDesk;
  readonly rules: GuardRules;
  readonly baseUrl: () => string | undefined;
  readonly consumers: ConsumerAdmin | undefined;
}
