import type { Order } from "../events.js";
import type { ServerInput, ServerOrder } from "./contract.js";
import type { ServerOutput } from "./serverSetup.js";

/** A server that the supervisor has a machine for; plain data. */
export interface Member {
  readonly id: string;
  /** It was told to retire. */
  readonly leaving: boolean;
  /** Added again while the old one was leaving: begins when that is gone. */
  readonly next?: ServerInput;
}

export interface SupervisorContext {
  /** In order of start. */
  readonly servers: readonly Member[];
  /** Servers are started as they are added. */
  readonly running: boolean;
  readonly ended: readonly string[];
  readonly forced: readonly string[];
  readonly survivors: readonly { readonly id: string; readonly pid: number }[];
}

/** What a stopped supervisor gives: who ended, who did not in time, and which processes are left. */
export type SupervisorOutput = Pick<SupervisorContext, "ended" | "forced" | "survivors">;

export type SupervisorEvent =
  /** `gated`: somebody else sends each server its `start`, so that not all begin at the same moment. */
  | { readonly type: "start"; readonly gated?: boolean }
  /** End all servers; a second one forces. */
  | { readonly type: "stop" }
  | ({ readonly type: "server.add" } & ServerInput)
  | { readonly type: "server.remove"; readonly id: string }
  | { readonly type: "server.order"; readonly id: string; readonly order: ServerOrder }
  /** Told by the supervisor to itself: the child of this id is there now. */
  | { readonly type: "server.spawned"; readonly id: string }
  | Order
  | { readonly type: "xstate.done.actor.*"; readonly actorId: string; readonly output: ServerOutput }
  | { readonly type: "xstate.error.actor.*"; readonly actorId: string; readonly error: unknown };

export type SupervisorEmitted =
  /** The machine of this server is there and has not begun. */
  | { readonly type: "server.added"; readonly id: string }
  | { readonly type: "server.removed"; readonly id: string; readonly survivors: readonly number[] }
  /** A machine broke by a fault of ours and was removed; an empty id means the source of orders. */
  | { readonly type: "server.broken"; readonly id: string; readonly error: unknown };

const prefix = "server:";

/** The id of the child that is the machine of this server. */
export function childId(id: string): string {
  return `${prefix}${id}`;
}

/** The server whose machine has this child id; undefined for other children. */
export function serverOf(actorId: string): string | undefined {
  return actorId.startsWith(prefix) ? actorId.slice(prefix.length) : undefined;
}

export function find({ servers }: SupervisorContext, id: string): Member | undefined {
  return servers.find((member) => member.id === id);
}

export function withMember(context: SupervisorContext, member: Member): Partial<SupervisorContext> {
  const others = context.servers.filter(({ id }) => id !== member.id);
  const known = others.length < context.servers.length;
  const servers = context.servers.map((each) => (each.id === member.id ? member : each));
  return { servers: known ? servers : [...servers, member] };
}

export function withoutMember({ servers }: SupervisorContext, id: string): readonly Member[] {
  return servers.filter((each) => each.id !== id);
}
