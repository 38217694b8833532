import { describe, expect, it } from "vitest";
import type { Keyring } from "../../src/keep/keyring.js";
import { createSealer } from "../../src/keep/seal.js";

function ring(entries = new Map<string, string>()): Keyring & { entries: Map<string, string> } {
  return {
    entries,
    get: (key) => Promise.resolve(entries.get(key)),
    set: async (key, secret) => void entries.set(key, secret),
    delete: async (key) => void entries.delete(key),
  };
}

const sealerOf = (keyring: Keyring | undefined) =>
  createSealer({ keyName: "key", loadKeyring: () => Promise.resolve(keyring) });

describe("sealing", () => {
  it("opens what it sealed, in another process with the same keyring", async () => {
    const keyring = ring();
    const sealed = await sealerOf(keyring).seal("tokens", "a.json");

    expect(sealed).not.toContain("tokens");
    expect(await sealerOf(keyring).open(sealed!, "a.json")).toBe("tokens");
    expect(Buffer.from(keyring.entries.get("key")!, "base64")).toHaveLength(32);
  });

  it("seals nothing without a keyring, with one that fails, and with one that forgets", async () => {
    const failing = { ...ring(), set: () => Promise.reject(new Error("no daemon")) };
    const forgetful = { ...ring(), set: () => Promise.resolve() };
    for (const keyring of [undefined, failing, forgetful])
      expect(await sealerOf(keyring).seal("tokens", "a.json")).toBeUndefined();
  });

  it.each([
    ["changed", (sealed: string) => `${sealed.slice(0, -4)}AAA=`, "a.json", false],
    ["of another file", (sealed: string) => sealed, "b.json", false],
    ["too short", () => "AAAA", "a.json", false],
  ])("refuses a text that is %s", async (_what, change, about, locked) => {
    const sealer = sealerOf(ring());
    const sealed = change((await sealer.seal("tokens of some length", "a.json"))!);
    await expect(sealer.open(sealed, about)).rejects.toMatchObject({ name: "SealError", locked });
  });

  it("says that it is locked when the keyring does not give the key", async () => {
    const sealed = await sealerOf(ring()).seal("tokens", "a.json");
    await expect(sealerOf(ring()).open(sealed!, "a.json")).rejects.toMatchObject({ locked: true });
    await expect(sealerOf(undefined).open(sealed!, "a.json")).rejects.toMatchObject({ locked: true });
  });
});
