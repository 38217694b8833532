import { chmod, mkdir, stat, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ensureHome, resolveHome } from "../../src/config/files/home.js";
import { ownershipProblem } from "../../src/keep/private.js";
import { temporaryFolder } from "./folder.js";

describe("the state folder", () => {
  it("is the option, else MCPVISOR_HOME, else a folder of the user", () => {
    expect(resolveHome("/a", { MCPVISOR_HOME: "/b" })).toBe("/a");
    expect(resolveHome(undefined, { MCPVISOR_HOME: "/b" })).toBe("/b");
    expect(resolveHome(undefined, { MCPVISOR_HOME: "" })).toBe(join(homedir(), ".mcpvisor"));
    expect(resolveHome("x", {})).toBe(join(process.cwd(), "x"));
  });

  it("is made for its owner alone", async () => {
    const home = join(await temporaryFolder(), "a", "b");

    await ensureHome(home);
    await ensureHome(home);

    expect((await stat(home)).mode & 0o777).toBe(0o700);
  });

  it("is refused when it is a link, a file, or writable by others", async () => {
    const folder = await temporaryFolder();
    await symlink(folder, join(folder, "link"));
    await writeFile(join(folder, "file"), "");
    await mkdir(join(folder, "open"));
    await chmod(join(folder, "open"), 0o777);

    await expect(ensureHome(join(folder, "link"))).rejects.toThrow(/symbolic link/);
    await expect(ensureHome(join(folder, "file"))).rejects.toThrow(/not a folder/);
    await expect(ensureHome(join(folder, "open"))).rejects.toThrow(/written by others/);
  });

  it("judges owner and mode", () => {
    const me = process.getuid?.() ?? 0;

    expect(ownershipProblem({ uid: me, mode: 0o100600 })).toBeUndefined();
    expect(ownershipProblem({ uid: 0, mode: 0o100644 })).toBeUndefined();
    expect(ownershipProblem({ uid: me + 1, mode: 0o100600 })).toBe("belongs to another user");
    expect(ownershipProblem({ uid: me, mode: 0o100620 })).toMatch(/written by others/);
  });
});
