import type { OAuthSettings } from "../../spec.js";

/**
 * A length of time: milliseconds as a number, or text such as `500ms`, `30s`, `2m`, `1h30m` (units d, h, m, s, ms, the
 * largest first, each once; at most 24 days).
 */
export type Duration = number | string;

/** Some fields of an entry: those that are to change. `null` as a value takes a field away. */
export type ServerPatch = {
  /** Id of the entry that is to change. */
  readonly id: string;
} & {
  readonly [Field in Exclude<keyof ServerConfig, "id">]?: ServerConfig[Field] | null;
};

/** How an entry is written. */
export interface SaveOptions {
  /**
   * Keep the fields that are not given, of an entry that there is, or of a server that ships with mcpvisor (JSON Merge
   * Patch, RFC 7396: objects are merged field by field, `null` takes away). Default: false, the entry is what is given.
   */
  readonly merge?: boolean;
}

/**
 * One server as a host writes it inline, as `saveServer` takes it, and as settings.json holds it (dialect a).
 * `timeout` as a number is in seconds (1-600), as text a duration.
 */
export interface ServerConfig {
  /** 1 to 32 characters of `a-z 0-9 - _`, unique in a fleet; part of every public tool name. */
  readonly id: string;
  /** Display name. Default: the id. */
  readonly name?: string;
  /**
   * How it is reached: `http` is Streamable HTTP, `sse` the older HTTP+SSE. Default: `stdio` with a `command`, `http`
   * with a `url`.
   */
  readonly transport?: "stdio" | "http" | "sse";
  /** stdio: the program, by path or by name on PATH. There is no shell. */
  readonly command?: string;
  /** stdio: its arguments. Default: none. */
  readonly args?: readonly string[];
  /** stdio: variables of its own; they win over inherited ones. Values are secrets everywhere. Default: none. */
  readonly env?: Readonly<Record<string, string>>;
  /** stdio: where it runs. Default: the folder of its file; for inline servers where the host runs. */
  readonly cwd?: string;
  /** http, sse: its address. `https:`, or `http:` to this machine; no user name or password in it. */
  readonly url?: string;
  /** http, sse: headers of every request. Values are secrets everywhere. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** http, sse: the http or https proxy it is reached through; false for none whatever the environment says. Default: HTTPS_PROXY and its like. */
  readonly proxy?: string | false;
  /** https: PEM files. Default: the authorities that Node knows, and no certificate of our own. */
  readonly tls?: {
    /** A further authority to trust. */
    readonly ca?: string;
    /** Our own certificate; `key` belongs to it. */
    readonly cert?: string;
    /** The key of `cert`. */
    readonly key?: string;
  };
  /**
   * http, sse: how authorization goes where the server wants it (docs/authorization.md); false never answers a refusal
   * with a token. Default: found out.
   */
  readonly oauth?: OAuthSettings | false;
  /** Connect at start and offer the tools. Default: true. */
  readonly enabled?: boolean;
  /**
   * Raw names of tools that run without asking, `*` for all of them; destructive ones are asked about all the same.
   * Default: none.
   */
  readonly auto_approve?: readonly string[];
  /** Idle limit of one call; progress starts it anew. 1 to 600 seconds as a number, or a duration. Default: 60 s. */
  readonly timeout?: number | string;
  /**
   * Limit of one call in all, whatever progress comes; seconds as a number, or a duration. Default: 10 times its idle
   * limit, an hour at most.
   */
  readonly maxTimeout?: number | string;
  /** Over connecting, initializing and listing together; seconds as a number, or a duration. Default: 20 s. */
  readonly connectTimeout?: number | string;
  /** Whether its hints and `auto_approve` count. Default: true, but for project files (docs/permissions.md, Trust). */
  readonly trusted?: boolean;
  /**
   * After its life has ended: `lazy` begins the next with the next call, `eager` at once (with back-off), `never` not
   * by itself. Default: `lazy`.
   */
  readonly restart?: "lazy" | "eager" | "never";
  /** Begin the first life with the first call; its tools are offered from the last session. Default: false. */
  readonly lazy?: boolean;
  /**
   * How consumers of the gateway use it: `auto` together, until it asks something that could be meant for any of them,
   * and from then on in turns; `shared` always together; `consumer` each in a life of its own, such as a browser.
   * Default: `auto`. docs/gateway.md.
   */
  readonly sharing?: "auto" | "shared" | "consumer";
  /** `ready()` is not ok without it. Default: false. */
  readonly required?: boolean;
  /** End its life after so long without a call; seconds as a number, or a duration. Default: never. */
  readonly idleTimeout?: number | string;
  /** Begin a new life after so long; seconds as a number, or a duration. Default: never. */
  readonly maxLifetime?: number | string;
  /**
   * `safe`: read-only or idempotent tools of a trusted server may be sent again after a lost connection. Default:
   * `never`.
   */
  readonly retry?: "never" | "safe";
  /**
   * stdio: what of our environment it sees: `safe` all but credentials, `minimal` what programs need to run, `all`.
   * Default: `safe`; untrusted servers get `minimal` in any case.
   */
  readonly inherit?: "safe" | "minimal" | "all";
  /** stdio: names of variables that it sees whatever `inherit` says. Default: none. */
  readonly pass?: readonly string[];
  /** Which tools are offered, by their raw names; `*` stands for any run of characters. Default: all. */
  readonly tools?: {
    /** Only these. Default: all. */
    readonly include?: readonly string[];
    /** But not these; it wins. Default: none. */
    readonly exclude?: readonly string[];
  };
  /** Limits of this server, by the names of `Limits`. Default: those of the supervisor. */
  readonly limits?: Readonly<Record<string, number>>;
  /**
   * Revision of MCP to speak, such as `2025-06-18`: nothing else is tried. `auto` asks for the newest first. Default:
   * found out (docs/protocol.md).
   */
  readonly protocolVersion?: string;
  /** Arguments of a near type become the declared one, such as "7" a 7. Default: true. */
  readonly coerce?: boolean;
  /**
   * What a result that does not fit the tool's output schema does: a warning, a failure, or nothing. Default: `warn`.
   */
  readonly outputSchema?: "warn" | "fail" | "off";
  /** Ping it while idle, every so often; seconds as a number, or a duration. Default: 0, never. */
  readonly health?: number | string;
  /** May be tortured by `mcpvisor chaos`. Default: false. */
  readonly chaos?: boolean;
  /** How long each step of ending its process waits for the next; seconds as a number, or a duration. */
  readonly shutdown?: {
    /** After the end of its input. Default: 2 s. */
    readonly eof?: number | string;
    /** After SIGTERM to the tree. Default: 2 s. */
    readonly term?: number | string;
    /** After SIGKILL to the tree, before what is left is told. Default: 3 s. */
    readonly kill?: number | string;
  };
}
