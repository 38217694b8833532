import type { Supervisor, ToolDescriptor, ToolResult } from "../../index.js";

/** A call to try on a server: the raw tool name and its arguments. */
export interface Sample {
  readonly server: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What became of one sample; `skipped` says why a server got none. */
export interface SampleResult {
  readonly server: string;
  readonly tool?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly skipped?: string;
  readonly result?: ToolResult;
}

/**
 * Runs the given samples, and for every other server that offers tools one that is harmless by what the policy and
 * its annotations say and that needs no arguments. Nothing else is called: a sample must not change anything.
 */
export async function runSamples(
  supervisor: Supervisor,
  given: readonly Sample[],
  signal: AbortSignal,
): Promise<SampleResult[]> {
  const covered = new Set(given.map((sample) => sample.server));
  const others = supervisor.servers().filter((server) => server.enabled && !covered.has(server.id));
  const results: SampleResult[] = [];
  for (const sample of given) results.push(await run(supervisor, sample, signal));
  for (const { id } of others) {
    const tool = supervisor.tools().find((each) => each.server === id && isHarmless(each));
    if (tool === undefined)
      results.push({ server: id, skipped: "no allowed read-only tool without arguments" });
    else results.push(await run(supervisor, { server: id, tool: tool.tool, arguments: {} }, signal));
  }
  return results;
}

async function run(supervisor: Supervisor, sample: Sample, signal: AbortSignal): Promise<SampleResult> {
  const offered = supervisor.tools().find((tool) => {
    return tool.server === sample.server && tool.tool === sample.tool;
  });
  // An unknown name still is called: its result says what is wrong with the server.
  const name = offered?.name ?? `mcp_${sample.server}_${sample.tool}`;
  return { ...sample, result: await supervisor.callTool(name, sample.arguments, { signal, timeout: "20s" }) };
}

function isHarmless(tool: ToolDescriptor): boolean {
  const required = tool.inputSchema["required"];
  const needsArguments = Array.isArray(required) && required.length > 0;
  return tool.permission === "allow" && tool.annotations.readOnlyHint === true && !needsArguments;
}
