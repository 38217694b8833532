import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { running, temporaryFolder } from "../support.js";

/** What a server says whose command cannot be started. */
async function reason(command: string, env: Record<string, string> = {}): Promise<string> {
  const supervisor = await running([{ id: "a", command, env }], { containment: "off" });
  return supervisor.server("a")!.status().lastError?.message ?? "";
}

describe("a command that cannot be started", () => {
  it("is told with the PATH that was searched", async () => {
    const [first = ""] = (process.env["PATH"] ?? "").split(delimiter);
    expect(await reason("no-such-program")).toContain(`searched on PATH: ${first}`);
    // What the entry says itself counts as a secret.
    expect(await reason("no-such-program", { PATH: temporaryFolder() })).toContain("searched on PATH: ****");
    expect(await reason("no-such-program", { PATH: "" })).toContain("PATH is empty");
  });

  it("is told as a path where it is one, and its blank", async () => {
    expect(await reason("/nowhere/no program")).toMatch(/no such file.*belongs in args/);
    expect(await reason("npx -y server")).toContain("belongs in args");
  });

  it("is told as a folder, as a file without permission, or by the interpreter that is missing", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "server");
    writeFileSync(file, "#!/nowhere/interpreter\n");
    mkdirSync(join(folder, "there"));
    expect(await reason(join(folder, "there"))).toContain("it is a folder");
    expect(await reason(file)).toContain("chmod +x");
    expect(await reason("server", { PATH: folder })).toContain("chmod +x");
    chmodSync(file, 0o755);
    expect(await reason(file)).toContain("the program that its first line names");
  });
});
