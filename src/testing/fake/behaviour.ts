import { realClock } from "../../index.js";
import type { Clock } from "../../index.js";
import { seededRandom } from "../random.js";
import type { SeededRandom } from "../random.js";
import { answerOf } from "./answers.js";
import type { AnsweringServer } from "./answers.js";
import { actOn, momentOf } from "./faults.js";
import { replyThen } from "./hit.js";
import type { FaultyServer } from "./hit.js";
import { toolNamed } from "./tools.js";
import type { FakeFault, FakeScript, FakeTool, FakeWire, FaultName, Incoming, Received } from "./types.js";

interface ArmedFault {
  readonly fault: FakeFault;
  seen: number;
  done: number;
}

/** What a fake server does with messages, whatever carries them. One of them serves all lives of its server. */
export class FakeBehaviour implements FaultyServer, AnsweringServer {
  readonly script: FakeScript;
  readonly clock: Clock;
  readonly received: Received[] = [];
  readonly answers: object[] = [];
  readonly reached = new Map<FaultName, number>();
  readonly wires = new Set<FakeWire>();
  generation = 0;
  /** How many more times its process survives being ended. */
  stuck: number | undefined;
  tools: readonly FakeTool[];
  #armed: ArmedFault[];
  #calls = 0;
  readonly random: SeededRandom;

  constructor(script: FakeScript) {
    this.script = script;
    this.clock = script.clock ?? realClock;
    this.random = seededRandom(script.seed ?? 1);
    this.tools = (script.tools ?? ["echo"]).map(toolNamed);
    this.#armed = (script.faults ?? []).map(armed);
  }

  inject(fault: FakeFault): () => void {
    const added = armed(fault);
    this.#armed.push(added);
    return () => {
      this.#armed = this.#armed.filter((each) => each !== added);
    };
  }

  healings = 0;

  heal(): void {
    this.healings++;
    this.stuck = undefined;
    this.#armed = [];
  }

  offer(tools: readonly (string | FakeTool)[], quiet: boolean): void {
    this.tools = tools.map(toolNamed);
    if (!quiet) this.tell({ method: "notifications/tools/list_changed" });
  }

  tell(message: object): void {
    for (const wire of this.wires) wire.send({ jsonrpc: "2.0", ...message });
  }

  /** The faults of the begin of a connection, in this life; each of them counts as reached. */
  atOpen(generation: number): FakeFault[] {
    return this.#armed.flatMap((each) =>
      this.#strikes(each, "open", undefined, generation) ? [each.fault] : [],
    );
  }

  /** Takes one message of a client. */
  receive(message: Incoming, wire: FakeWire): void {
    const { method, params } = message;
    if (method === undefined) return void this.answers.push(message);
    const tool = method === "tools/call" ? String(params?.["name"]) : undefined;
    const { generation } = wire;
    const index = tool === undefined ? this.#calls : this.#calls++;
    const hit = this.#armed.find((each) => this.#strikes(each, method, tool, generation));
    // A request that met no session has not reached the server.
    if (hit?.fault.fault !== "session-expiry")
      this.received.push({ method, generation, params, ...(tool === undefined ? {} : { tool }) });
    const answer = (): Promise<object | undefined> => answerOf(this, message, wire, index);
    if (hit !== undefined) return actOn(hit.fault, { wire, message, answer, server: this });
    replyThen({ wire, message, answer, server: this }, (reply) => wire.send(reply));
  }

  later(ms: number, action: () => void): void {
    if (ms <= 0) return action();
    this.clock.setTimeout(action, ms);
  }

  #strikes(each: ArmedFault, method: string, tool: string | undefined, generation: number): boolean {
    const { fault } = each;
    if (momentOf(fault) !== method) return false;
    if (fault.tool !== undefined && fault.tool !== tool) return false;
    if (fault.generation !== undefined && fault.generation !== generation) return false;
    each.seen++;
    if (fault.nth !== undefined && each.seen !== fault.nth) return false;
    if (fault.times !== undefined && each.done >= fault.times) return false;
    if (fault.chance !== undefined && !this.random.chance(fault.chance)) return false;
    each.done++;
    this.reached.set(fault.fault, (this.reached.get(fault.fault) ?? 0) + 1);
    return true;
  }
}

function armed(fault: FakeFault): ArmedFault {
  return { fault, seen: 0, done: 0 };
}
