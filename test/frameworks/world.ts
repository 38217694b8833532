import { join, resolve } from "node:path";
import { filter, firstValueFrom } from "rxjs";
import type { ApprovalRequest, ServerConfig, Supervisor } from "../../src/index.js";
import { running, temporaryFolder } from "../support.js";

const root = resolve(import.meta.dirname, "../..");
const official = (name: string): string =>
  join(root, `node_modules/@modelcontextprotocol/${name}/dist/index.js`);

/** Two official servers; what the memory server does to its graph needs a person's consent. */
export interface World {
  readonly supervisor: Supervisor;
  /** What the supervisor asked; it allows. */
  readonly asked: ApprovalRequest[];
  /** Public names. */
  readonly names: {
    readonly echo: string;
    readonly sum: string;
    readonly image: string;
    readonly long: string;
    readonly create: string;
  };
  /** Ends the process of the first server as soon as a call of a tool has been sent. */
  killDuring(name: string): void;
}

export async function world(extra: readonly ServerConfig[] = []): Promise<World> {
  const asked: ApprovalRequest[] = [];
  const everything = ["echo", "get-sum", "get-tiny-image", "trigger-long-running-operation"];
  const supervisor = await running(
    [
      {
        id: "every",
        command: process.execPath,
        args: [official("server-everything"), "stdio"],
        auto_approve: everything,
      },
      {
        id: "memory",
        command: process.execPath,
        args: [official("server-memory")],
        env: { MEMORY_FILE_PATH: join(temporaryFolder(), "memory.json") },
        auto_approve: ["read_graph"],
      },
      ...extra,
    ],
    {
      mode: "ask",
      approve: (request) => {
        asked.push(request);
        return "allow";
      },
    },
  );
  const name = (tool: string) => supervisor.tools().find((each) => each.tool === tool)!.name;
  return {
    supervisor,
    asked,
    names: {
      echo: name("echo"),
      sum: name("get-sum"),
      image: name("get-tiny-image"),
      long: name("trigger-long-running-operation"),
      create: name("create_entities"),
    },
    killDuring: (tool) => {
      const pid = supervisor.servers().find((each) => each.id === "every")!.pids[0]!;
      void firstValueFrom(
        supervisor.events$.pipe(filter((fact) => fact.type === "mcp.call.progress" && fact.id === "every")),
      ).then(() => process.kill(pid, "SIGKILL"));
      void tool;
    },
  };
}

export const entities = {
  entities: [{ name: "Ada", entityType: "person", observations: ["wrote programs"] }],
};
