import pc from "picocolors";

/** The part of a stream to a person that the command line uses. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
}

export type Colors = ReturnType<typeof pc.createColors>;

/** Where a command reads and writes: data on stdout, everything else on stderr. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined };
  readonly stdout: Output;
  readonly stderr: Output;
  /** Colours for stdout; plain functions when there are none. */
  readonly colors: Colors;
  /** stdout is a terminal whose cursor can be moved. */
  readonly live: boolean;
  /** A person is there to answer a question. */
  readonly canAsk: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Looks at the streams and at NO_COLOR, FORCE_COLOR and TERM. */
export function openTerminal(
  streams: Pick<Terminal, "stdin" | "stdout" | "stderr">,
  env: Environment,
): Terminal {
  const dumb = env["TERM"] === "dumb";
  return {
    ...streams,
    colors: pc.createColors(wantsColors(streams.stdout, env)),
    live: streams.stdout.isTTY === true && !dumb,
    canAsk: streams.stdin.isTTY === true && streams.stderr.isTTY === true,
  };
}

function wantsColors(stdout: Output, env: Environment): boolean {
  // no-color.org: any value but the empty one switches colours off; FORCE_COLOR=0 does as well.
  if ((env["NO_COLOR"] ?? "") !== "" || env["FORCE_COLOR"] === "0") return false;
  if ((env["FORCE_COLOR"] ?? "") !== "") return true;
  return stdout.isTTY === true && env["TERM"] !== "dumb";
}
