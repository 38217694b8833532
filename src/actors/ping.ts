import { elapsedOf } from "../clock.js";
import { request } from "../rpc/request.js";
import type { Life } from "./life.js";
import type { LifePorts } from "./lifePorts.js";

/** Asks a life whether it is there: any answer at all counts; resolves false when nothing came back in time. */
export async function ping(
  life: Life,
  timeoutMs: number,
  { clock, deadlines }: Pick<LifePorts, "clock" | "deadlines">,
): Promise<boolean> {
  const { channel } = life;
  if (channel === undefined || !channel.open) return false;
  const before = channel.heard;
  // 2026-07-28 has no ping; discovery is as cheap.
  const method = channel.codec.modern ? "server/discover" : "ping";
  const dueAt = elapsedOf(clock) + timeoutMs;
  const reply = await request(channel, method, undefined, { dueAt, deadlines });
  const alive = reply.kind === "result" || reply.kind === "error" || channel.heard > before;
  if (alive) life.prove();
  return alive;
}
