import type { Supervisor, ToolDescriptor } from "../../index.js";
import { wait } from "../context/wait.js";

/** Calls at the same time for each server. */
const callers = 4;

export interface CallCounts {
  made: number;
  ok: number;
  readonly failed: Record<string, number>;
}

/**
 * Keeps servers busy until the signal fires, with tools that the mode lets run unasked and that need no arguments.
 * A server without such a tool is only connected.
 */
export async function callWhatIsHarmless(
  supervisor: Supervisor,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<CallCounts> {
  const counts: CallCounts = { made: 0, ok: 0, failed: {} };
  const one = async (id: string, index: number): Promise<void> => {
    for (let call = index; !signal.aborted; call++) {
      const tools = supervisor.tools().filter((tool) => tool.server === id && isHarmless(tool));
      const tool = tools[call % Math.max(1, tools.length)];
      if (tool === undefined) {
        void supervisor.server(id)?.connect();
        await wait(500, signal);
        continue;
      }
      counts.made++;
      const result = await supervisor.callTool(tool.name, {}, { timeout: "5s", caller: `caller ${index}` });
      if (result.ok) counts.ok++;
      else counts.failed[result.failure.kind] = (counts.failed[result.failure.kind] ?? 0) + 1;
      await wait(result.ok ? 20 : 100, signal);
    }
  };
  await Promise.all(ids.flatMap((id) => Array.from({ length: callers }, (_, index) => one(id, index))));
  return counts;
}

function isHarmless({ permission, inputSchema }: ToolDescriptor): boolean {
  const { required } = inputSchema as { required?: unknown };
  return permission === "allow" && (!Array.isArray(required) || required.length === 0);
}
