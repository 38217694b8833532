import type { Life } from "../../actors/life.js";
import { ping } from "../../actors/ping.js";
import { elapsedOf } from "../../clock.js";
import { lookAtHealth, newHealth, pingAnswered, pingMissed, trafficAnswered } from "../../policy/health.js";
import type { Health, HealthOptions } from "../../policy/health.js";
import type { Dated } from "../../rpc/deadlines.js";
import type { SharedState } from "../state/sharedState.js";
import type { ServerRecord } from "../state/serverRecord.js";

const maxMissed = 3;
const pingTimeoutMs = 10_000;

/**
 * Looks after one life while it serves: pings a silent server, ends the life of a dead one, and tells when nobody has
 * called for `idleTimeout`. It hangs on the fleet's one deadline timer; a server without either setting costs nothing.
 */
export function startHeartbeat(record: ServerRecord, life: Life, shared: SharedState): void {
  const { healthEveryMs, idleTimeoutMs } = record.spec;
  const everyMs = Math.min(healthEveryMs > 0 ? healthEveryMs : Infinity, idleTimeoutMs ?? Infinity);
  if (everyMs === Infinity) return;
  const options: HealthOptions = { everyMs: healthEveryMs, maxMissed };
  let health = newHealth(shared.clock.now());
  let heard = life.channel?.heard ?? 0;
  const beat: Dated = { dueAt: elapsedOf(shared.clock) + everyMs, expire: look };
  shared.deadlines.add(beat);

  function look(elapsed: number): void {
    if (record.live !== life) return;
    // Whatever comes of a replacement: the life that serves afterwards is the one to be looked after.
    if (record.state === "replacing") return again(elapsed + everyMs);
    const idleFor = elapsed - life.usedAt;
    if (
      idleTimeoutMs !== undefined &&
      record.inFlight === 0 &&
      record.queue.size === 0 &&
      idleFor >= idleTimeoutMs
    ) {
      return life.tell({ type: "idle.expired" });
    }
    if (healthEveryMs > 0) void checkHealth();
    const idleLeft = idleTimeoutMs === undefined ? Infinity : Math.max(idleTimeoutMs - idleFor, 1);
    again(elapsed + Math.min(healthEveryMs > 0 ? healthEveryMs : Infinity, idleLeft));
  }

  function again(dueAt: number): void {
    beat.dueAt = dueAt;
    shared.deadlines.add(beat);
  }

  async function checkHealth(): Promise<void> {
    const now = shared.clock.now();
    const told = life.channel?.heard ?? 0;
    if (told > heard) health = trafficAnswered(health, now);
    heard = told;
    const looked = lookAtHealth(health, now, record.inFlight, options);
    health = looked.health;
    if (looked.advice === "dead") return giveUp();
    if (looked.advice === "ping") health = await ask(health, now);
  }

  async function ask(before: Health, sentAt: number): Promise<Health> {
    const answered = await ping(life, Math.min(pingTimeoutMs, healthEveryMs), shared);
    heard = life.channel?.heard ?? heard;
    const now = shared.clock.now();
    return answered ? pingAnswered(before, now) : pingMissed(before, sentAt, now, options);
  }

  function giveUp(): void {
    const message = `server "${record.spec.name}" has answered nothing, not even ${maxMissed} pings; it is taken for dead`;
    life.tell({ type: "health.failed", cause: { kind: "unhealthy", message } });
  }
}
