import { describe, expect, it } from "vitest";
import { network } from "../../src/cli/commands/network.js";
import type { ServiceClient } from "../../src/http/index.js";
import { fakeContext } from "./support/fakeContext.js";
import { fakeSupervisor } from "./support/fakeSupervisor.js";

function service() {
  let enabled = true;
  const set: boolean[] = [];
  const client = {
    network: async () => enabled,
    setNetwork: async (next: boolean) => {
      set.push(next);
      return (enabled = next);
    },
    close: () => undefined,
  } as unknown as ServiceClient;
  return { set, ...fakeContext(fakeSupervisor({}).supervisor, undefined, client) };
}

describe("mcpvisor network", () => {
  it("says how it is, and switches nothing", async () => {
    const { context, stderr, set } = service();

    expect(await network(context, {}, undefined)).toBe(0);
    expect(stderr.text).toContain("switched on");
    expect(set).toEqual([]);
  });

  it.each([
    ["off", false],
    ["on", true],
  ] as const)("%s", async (word, enabled) => {
    const { context, stdout, set } = service();

    expect(await network(context, { json: true }, word)).toBe(0);
    expect(set).toEqual([enabled]);
    expect(JSON.parse(stdout.text)).toEqual({ network: enabled });
  });

  it.each(["ON", "yes", "", "0"])("%j is no word of it, and switches nothing", async (word) => {
    const { context, set } = service();

    await expect(network(context, {}, word)).rejects.toThrow('network is "on" or "off"');
    expect(set).toEqual([]);
  });

  it("says how to start a service when none runs", async () => {
    const { context } = fakeContext(fakeSupervisor({}).supervisor);
    await expect(network(context, {}, "off")).rejects.toThrow(/no service/i);
  });
});
