/** Where an entry was written down (docs/configuration.md). */
export type Scope =
  /** In the options of `createSupervisor`, or through `saveServer` without files. */
  | "inline"
  /** `<home>/settings.json`, or another settings file. */
  | "settings"
  /** `<home>/mcp.json`, or another `mcpServers` file. */
  | "user"
  /** `<workspace>/.mcp.json`: nothing of it starts before a person has approved the entry. */
  | "project"
  /** It ships with mcpvisor; switched off until an entry says otherwise. */
  | "builtin";

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

/** How an entry wants authorization to go (docs/authorization.md); all of it is optional. */
export interface OAuthSettings {
  /** A client that a person registered there. Default: found by its metadata document, or registered. */
  readonly clientId?: string;
  /** Its secret. */
  readonly clientSecret?: string;
  /** Path of its private key (PEM), for private_key_jwt. */
  readonly clientKey?: string;
  /** Address of a client id metadata document that describes us. */
  readonly clientMetadataUrl?: string;
  /** What to ask for, besides what the server demands. Default: what the server lists. */
  readonly scopes?: readonly string[];
  /** Which of several accounts at this address. */
  readonly account?: string;
  /** `code` asks a person with a browser (default), `device` one at another device, `client_credentials` nobody. */
  readonly grant?: "code" | "client_credentials" | "device";
  /** Where the browser comes back to: on this machine, or a whole https address. */
  readonly redirect?:
    | string
    | {
        /** `127.0.0.1` (default), `localhost` or `::1`. */
        readonly host?: string;
        /** Default: a free one. */
        readonly port?: number;
        /** Default: `/callback`. */
        readonly path?: string;
      };
  /** The exact issuer that metadata must carry; names the authorization server where the server does not. */
  readonly issuer?: string;
  /** Value of the `resource` parameter; false sends none. */
  readonly resource?: string | false;
  /** `assume`: the authorization server checks PKCE although it does not say so. */
  readonly pkce?: "assume";
  /** Further parameters of the address that is opened, such as `access_type`. */
  readonly authorizeParams?: Readonly<Record<string, string>>;
}

export interface HttpTarget {
  readonly kind: "http" | "sse";
  readonly url: string;
  /** Values are secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** The proxy of this server; false for none whatever the environment says. May hold a password. */
  readonly proxy?: string | false;
  /** PEM files: further authorities to trust, and a certificate of our own with its key. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** False: a refusal is not answered with a token. */
  readonly oauth?: OAuthSettings | false;
}

/** Limits of one server; every one has a test at its edge (docs/configuration.md). */
export interface Limits {
  /** One message, in bytes. A longer one is lost alone. Default: 16 MiB. */
  readonly messageBytes: number;
  /** Nesting of JSON in a message, in levels. Default: 200. */
  readonly depth: number;
  /** Pages of one list (tools, resources, prompts) that are walked. Default: 20. */
  readonly pages: number;
  /** Tools of the server that are taken; more are left out with a warning. Default: 500. */
  readonly tools: number;
  /** One schema of a tool, in bytes of JSON; a tool with a larger one is withheld. Default: 256 KiB. */
  readonly schemaBytes: number;
  /** Text of a result, in UTF-16 code units; longer text is cut with a warning. Default: 12,000. */
  readonly resultChars: number;
  /** Newest lines of stderr that are kept. Default: 20. */
  readonly stderrLines: number;
  /** Newest bytes of stderr that are kept. Default: 64 KiB. */
  readonly stderrBytes: number;
  /** Calls that run at the same time; more wait. Default: 16. */
  readonly inFlight: number;
  /** Calls that wait; more fail as `overloaded`. Default: 256. */
  readonly queued: number;
  /** Bytes that may wait for a server that does not read; calls that would go over it are refused. Default: 8 MiB. */
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
  /** Of a project's entry: SHA-256 of what a person approved of it. */
  readonly approved?: string;
  readonly trusted: boolean;
  readonly enabled: boolean;
  readonly target: StdioTarget | HttpTarget;
  readonly callTimeoutMs: number;
  /** Limit of a call in all; 10 times its idle limit when undefined. */
  readonly callTotalMs?: number;
  /** One deadline over connecting, initializing and listing. */
  readonly connectTimeoutMs: number;
  readonly restart: "lazy" | "eager" | "never";
  readonly lazy: boolean;
  /** How consumers of a gateway share it. */
  readonly sharing: "auto" | "shared" | "consumer";
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
