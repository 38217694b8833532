/**
 * The chaos kit: fake servers, seeded faults, simulation and invariants, for hosts and for ourselves (docs/chaos.md).
 *
 * @module testing
 */
export { fakeServer, fleetOf } from "./fakeServer.js";
export type {
  FakeCall,
  FakeFault,
  FakeScript,
  FakeServer,
  FakeTool,
  FaultName,
  Medium,
  Received,
} from "./fake/types.js";
export { checkInvariants, watchInvariants } from "./invariants.js";
export type { InvariantOptions, Invariants, Rest, Rule, Violation } from "./invariants.js";
export { seededRandom } from "./random.js";
export type { SeededRandom } from "./random.js";
export { simulatedClock } from "./simulatedClock.js";
export type { SimulatedClock } from "./simulatedClock.js";
export { simulate } from "./simulate.js";
export type { SimulationPlan } from "./simulation/plan.js";
export type { SimulationReport } from "./simulate.js";
export { chaos } from "./chaos.js";
export type { ChaosPlan, WireFault } from "./chaosPlan.js";
export { toxicProxy } from "./toxicProxy.js";
export type { ToxicProxy, ToxicProxyOptions } from "./toxicProxy.js";
export type { Toxic } from "./toxics.js";
export { record } from "./record.js";
export type { Recording, WireLine } from "./record.js";
export { replay } from "./replay.js";
export { startFakeAuthServer } from "./fakeAuthServer.js";
export type { FakeAuthServer } from "./fakeAuthServer.js";
export type { FakeAuthOptions, FakeAuthReply, FakeAuthRequest, Interceptor } from "./auth/types.js";
