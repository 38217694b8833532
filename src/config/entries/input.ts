/** A duration: milliseconds as a number, or text such as `30s`, `2m`, `1h30m`. */
export type Duration = number | string;

/**
 * One server as a host writes it inline, as `saveServer` takes it, and as settings.json holds it (dialect a).
 * `timeout` as a number is in seconds (1-600), as text a duration.
 */
export interface ServerConfig {
  readonly id: string;
  readonly name?: string;
  readonly transport?: "stdio" | "http" | "sse";
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly enabled?: boolean;
  readonly auto_approve?: readonly string[];
  readonly timeout?: number | string;
  /** Over connecting, initializing and listing; seconds as a number, or a duration. */
  readonly connectTimeout?: number | string;
  readonly trusted?: boolean;
  readonly restart?: "lazy" | "eager" | "never";
  readonly lazy?: boolean;
  readonly required?: boolean;
  readonly idleTimeout?: number | string;
  readonly maxLifetime?: number | string;
  readonly retry?: "never" | "safe";
  readonly inherit?: "safe" | "minimal" | "all";
  readonly pass?: readonly string[];
  readonly tools?: { readonly include?: readonly string[]; readonly exclude?: readonly string[] };
  readonly limits?: Readonly<Record<string, number>>;
  readonly protocolVersion?: string;
  readonly coerce?: boolean;
  readonly outputSchema?: "warn" | "fail" | "off";
  /** Health check while idle, every so often; 0 or absent is off. */
  readonly health?: number | string;
  readonly chaos?: boolean;
  readonly shutdown?: {
    readonly eof?: number | string;
    readonly term?: number | string;
    readonly kill?: number | string;
  };
}
