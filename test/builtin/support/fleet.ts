import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serviceCases } from "../cases/all.js";
import { type Fake, startFake } from "./fake.js";

/** A token that must not turn up anywhere but in requests. */
export function canary(id: string): string {
  return `canary-${id}-9f8e7d/6c+5b=`;
}

/** A state folder with an account for every service, and a fake for each of them. */
export interface Fleet {
  readonly home: string;
  fake(id: string): Fake;
  /** `--<service>-url` options for the fakes. */
  readonly args: Record<"gmail" | "connectors", string[]>;
  close(): Promise<void>;
}

export async function startFleet(): Promise<Fleet> {
  const home = await makeHome();
  const fakes = new Map<string, Fake>();
  for (const { id } of serviceCases) fakes.set(id, await startFake());
  const fake = (id: string): Fake => {
    const found = fakes.get(id);
    if (found === undefined) throw new Error(`no fake for ${id}`);
    return found;
  };
  const accounts = Object.fromEntries(
    serviceCases.map(({ id }) => [
      id,
      {
        label: "test",
        kind: "token",
        keptIn: "file",
        connectedAt: 1,
        ...(id === "vercel" && { fields: { team: "team_1" } }),
        secrets: { accessToken: canary(id) },
      },
    ]),
  );
  await writeTokens(home, accounts);
  const urlArgs = (ids: readonly string[]) => ids.flatMap((id) => [`--${id}-url`, fake(id).url]);
  const connectors = serviceCases.map(({ id }) => id).filter((id) => id !== "gmail");
  return {
    home,
    fake,
    args: {
      gmail: ["--home", home, ...urlArgs(["gmail"])],
      connectors: ["--home", home, ...urlArgs(connectors)],
    },
    close: async () => {
      await Promise.all([...fakes.values()].map((each) => each.close()));
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A fresh state folder. */
export function makeHome(): Promise<string> {
  return mkdtemp(join(tmpdir(), "mcpvisor-builtin-"));
}

/** Writes tokens.json as the store would. */
export async function writeTokens(home: string, accounts: Record<string, unknown>): Promise<void> {
  const path = join(home, "tokens.json");
  await writeFile(path, JSON.stringify({ version: 1, accounts }), { mode: 0o600 });
  await chmod(path, 0o600);
}
