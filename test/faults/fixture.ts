import { expect, onTestFinished } from "vitest";
import type { ServerStatus, Supervisor, SupervisorOptions } from "../../src/index.js";
import { fakeServer, fleetOf } from "../../src/testing/index.js";
import type { FakeScript, FakeServer, FaultName } from "../../src/testing/index.js";
import { running } from "../support.js";

export interface Fixture {
  readonly fake: FakeServer;
  readonly supervisor: Supervisor;
  status(): ServerStatus;
  call(args?: Record<string, unknown>, timeout?: number): ReturnType<Supervisor["callTool"]>;
}

/** A supervisor whose only server, `x`, follows the script; it has tried to come up. */
export async function withFake(
  script: Omit<FakeScript, "id">,
  options: SupervisorOptions = {},
): Promise<Fixture> {
  const fake = await fakeServer({ id: "x", ...script });
  onTestFinished(() => fake.close());
  const fleet = fleetOf(fake);
  const supervisor = await running(fleet.servers, { transports: fleet.transports, ...options });
  return {
    fake,
    supervisor,
    status: () => supervisor.servers()[0]!,
    call: (args = {}, timeout = 20_000) => supervisor.callTool("mcp_x_echo", args, { timeout }),
  };
}

/** Fails unless the fault really happened. */
export function expectReached({ fake }: Fixture, fault: FaultName): void {
  expect(fake.reached.get(fault) ?? 0, `the fault ${fault} was met`).toBeGreaterThan(0);
}

export const failureOf = (result: Awaited<ReturnType<Supervisor["callTool"]>>): string =>
  result.ok ? "ok" : result.failure.kind;
