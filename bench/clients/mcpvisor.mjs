import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSupervisor } from "../../dist/index.js";

/** One supervised server through the public API; only limits that the measurement would run into are raised. */
export async function connect({ kind, command, args, env, url, limits = {} }) {
  const target = kind === "stdio" ? { command, args, ...(env ? { env } : {}) } : { url };
  const { supervisor, home } = create([{ id: "bench", ...target }], limits);
  await supervisor.ready();
  const names = new Map(supervisor.tools().map((each) => [each.tool, each.name]));
  return {
    supervisor,
    listTools: async () => supervisor.tools(),
    async relist() {
      await supervisor.server("bench").restart();
      return supervisor.tools();
    },
    callTool: (name, given, options) => supervisor.callTool(names.get(name), given, options),
    async close() {
      await supervisor.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** A supervisor with a state folder of its own. */
export function create(servers, limits = {}) {
  const home = mkdtempSync(join(tmpdir(), "mcpvisor-bench-"));
  const supervisor = createSupervisor({ servers, home, mode: "allow-trusted", limits });
  return { supervisor, home };
}
