import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createOnce } from "../../keep/atomic.js";
import type { ConsumerRecord, TokenRecord } from "./consumers.js";
import { checkConfig } from "./check.js";
import { isRecord } from "../contract/protocol.js";

/** What the state folder knows of consumers. */
export interface StoredConsumers {
  /** The consumer of requests without a token; undefined: they are refused. */
  readonly unnamed: string | undefined;
  /** The consumers that could be read. */
  readonly records: readonly ConsumerRecord[];
  /** What could not be read, one sentence each. */
  readonly problems: readonly string[];
  /** The consumers that could not be read, as they stand: nobody comes in by them, and they are written back. */
  readonly broken: Readonly<Record<string, unknown>>;
}

/** Where the consumers of a state folder are written down. */
export function consumersPath(home: string): string {
  return join(home, "consumers.json");
}

/** Reads `consumers.json`; what is wrong in it is told and costs nothing but itself. */
export async function loadConsumers(home: string): Promise<StoredConsumers> {
  const path = consumersPath(home);
  const value = await readConsumersFile(path);
  const problems: string[] = [];
  const broken = Object.create(null) as Record<string, unknown>;
  if (value === undefined) return { unnamed: undefined, records: [], problems, broken };
  const { unnamed, consumers } = value;
  const records = Object.entries(isRecord(consumers) ? consumers : {}).flatMap(([name, each]) => {
    const { token, ...rest } = isRecord(each) ? each : {};
    const checked = checkConfig(isRecord(each) ? rest : each);
    if ("problem" in checked) {
      problems.push(`${path}: consumers.${name} ${checked.problem}; nobody comes in by it`);
      broken[name] = each;
      return [];
    }
    const record: ConsumerRecord = { name, config: checked.config };
    return [
      isRecord(token) && typeof token["hash"] === "string"
        ? { ...record, token: token as unknown as TokenRecord }
        : record,
    ];
  });
  return {
    unnamed: typeof unnamed === "string" && unnamed !== "none" ? unnamed : undefined,
    records,
    problems,
    broken,
  };
}

/** What is in the file; undefined when there is none, an error when it is no JSON object. */
export async function readConsumersFile(
  path: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const value = parse(text);
  if (!isRecord(value)) throw new Error(`${path} is no JSON object; mend it, or move it away`);
  return value;
}

/** The key that session ids and states are sealed with: 32 bytes, made at the first start. */
export async function loadKey(home: string): Promise<Buffer> {
  const path = join(home, "gateway.key");
  await createOnce(path, `${randomBytes(32).toString("base64url")}\n`);
  const key = Buffer.from((await readFile(path, "utf8")).trim(), "base64url");
  if (key.length !== 32) throw new Error(`${path} holds no key of this program; delete it to make a new one`);
  return key;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller says what to do about it.
    return undefined;
  }
}
