/** Where an entry was written down; `inline` came through createSupervisor's options. */
export type Scope = "inline" | "settings" | "user" | "project" | "builtin";

/** The words an entry is written in: a list of settings.json (and inline), or a map of an `mcpServers` file. */
export type Dialect = "settings" | "mcpServers";

export interface StdioTarget {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** The entry's own variables; they win over what is inherited. Values are secrets. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What of our own environment the child may see. */
  readonly inherit: "safe" | "minimal" | "all";
  /** Names that are passed on whatever `inherit` says. */
  readonly pass: readonly string[];
  /** Dangerous variables (LD_PRELOAD, NODE_OPTIONS …) of a project file that a person has approved by name. */
  readonly approvedEnv?: readonly string[];
  /** SHA-256 of the files of the project that a project's entry names, by path: other content, another process. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface HttpTarget {
  readonly kind: "http" | "sse";
  readonly url: string;
  /** Values are secrets. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Limits of one server; every one has a test at its edge (docs/configuration.md). */
export interface Limits {
  /** One message, in bytes. */
  readonly messageBytes: number;
  /** Nesting of JSON in a message. */
  readonly depth: number;
  readonly pages: number;
  readonly tools: number;
  readonly schemaBytes: number;
  /** Result text, in UTF-16 code units. */
  readonly resultChars: number;
  readonly stderrLines: number;
  readonly stderrBytes: number;
  readonly inFlight: number;
  readonly queued: number;
  readonly unsentBytes: number;
}

export const defaultLimits: Limits = {
  messageBytes: 16 * 1024 * 1024,
  depth: 200,
  pages: 20,
  tools: 500,
  schemaBytes: 256 * 1024,
  resultChars: 12_000,
  stderrLines: 20,
  stderrBytes: 64 * 1024,
  inFlight: 16,
  queued: 256,
  unsentBytes: 8 * 1024 * 1024,
};

/** One configured server after all dialects, defaults and placeholders: what the engine works with. */
export interface ServerSpec {
  /** 1-32 characters of a-z 0-9 - _ ; unique in a fleet. */
  readonly id: string;
  /** As the user wrote it. */
  readonly name: string;
  readonly scope: Scope;
  /** Whose column of the permission table counts when no mode is set. */
  readonly dialect: Dialect;
  readonly file?: string;
  /** The file whose entry of the same name this one hides. */
  readonly hides?: string;
  readonly trusted: boolean;
  readonly enabled: boolean;
  readonly target: StdioTarget | HttpTarget;
  readonly callTimeoutMs: number;
  /** One deadline over connecting, initializing and listing. */
  readonly connectTimeoutMs: number;
  readonly restart: "lazy" | "eager" | "never";
  readonly lazy: boolean;
  readonly required: boolean;
  readonly idleTimeoutMs?: number;
  readonly maxLifetimeMs?: number;
  /** `safe`: read-only or idempotent tools of a trusted server may be sent again after a lost connection. */
  readonly retry: "never" | "safe";
  readonly autoApprove: readonly string[];
  readonly tools: { readonly include?: readonly string[]; readonly exclude?: readonly string[] };
  /** Pins the revision: nothing else is tried. `auto` asks for the newest one first, over stdio too. */
  readonly protocolVersion?: string;
  readonly coerce: boolean;
  /** What a mismatch with outputSchema does. */
  readonly outputSchema: "warn" | "fail" | "off";
  readonly limits: Limits;
  /** Ping while idle, every so many ms; 0 is off. */
  readonly healthEveryMs: number;
  readonly shutdown: { readonly eofMs: number; readonly termMs: number; readonly killMs: number };
  /** Only servers marked so are tortured by `mcpvisor chaos`. */
  readonly chaos: boolean;
  /** Text values that must never show up in any output (env and header values, resolved placeholders). */
  readonly secrets: readonly string[];
  /** Why this entry must not start by itself although it is enabled. */
  readonly held?: {
    readonly kind: "config-invalid" | "approval-needed" | "network-off";
    readonly message: string;
  };
  /** Stable hash of everything that matters for a running process: equal hash, same process. */
  readonly fingerprint: string;
}
