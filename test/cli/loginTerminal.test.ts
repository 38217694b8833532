import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fakeAuth } from "../auth/support.js";
import { openSandbox } from "./support/binary.js";
import { until } from "./support/fakeContext.js";

/** util-linux; it gives a program a real terminal. */
const script = "/usr/bin/script";
const binary = resolve(import.meta.dirname, "../../dist/cli/main.js");

let sandbox: ReturnType<typeof openSandbox>;
beforeEach(() => void (sandbox = openSandbox()));
afterEach(() => sandbox.close());

/** The built command in a terminal of its own; what is typed goes in, what is shown comes out. */
function inTerminal(line: string) {
  const child = spawn(script, ["-qfec", `"${process.execPath}" "${binary}" ${line}`, "/dev/null"], {
    cwd: sandbox.folder,
    env: { ...process.env, MCPVISOR_HOME: sandbox.home, SSH_CONNECTION: undefined, COLUMNS: "400" },
  });
  const shown = { text: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (shown.text += text));
  const ended = new Promise<number | null>((done) => child.once("close", done));
  return { shown, ended, type: (text: string) => child.stdin.write(text) };
}

describe.runIf(process.platform === "linux" && existsSync(script))("a login in a real terminal", () => {
  it("takes the address that is pasted into it", { timeout: 60_000 }, async () => {
    const fake = await fakeAuth({ scopes: ["read"] });
    sandbox.file("mcp.json", JSON.stringify({ mcpServers: { remote: { url: fake.url } } }));
    const { shown, ended, type } = inTerminal(`login remote --paste -c ${join(sandbox.folder, "mcp.json")}`);
    await until(() => shown.text.includes("Paste the whole address"), "the question");
    const address = /Open this address: (\S+)/.exec(shown.text)?.[1] ?? "";
    expect(shown.text.indexOf(fake.issuer)).toBeLessThan(shown.text.indexOf("Open this address"));

    type("https://elsewhere.example/?code=1\r");
    await until(() => shown.text.includes("does not begin with"), "the hint");
    type(`${await fake.agree(address)}\r`);

    expect(await ended).toBe(0);
    expect(shown.text).toContain("remote: logged in");
  });

  it("is given up by Ctrl-C, and keeps nothing", { timeout: 60_000 }, async () => {
    const fake = await fakeAuth();
    sandbox.file("mcp.json", JSON.stringify({ mcpServers: { remote: { url: fake.url } } }));
    const { shown, ended, type } = inTerminal(
      `login remote --no-browser -c ${join(sandbox.folder, "mcp.json")}`,
    );
    await until(() => shown.text.includes("Open this address"), "the address");

    type("\u0003");

    expect(await ended).not.toBe(0);
    expect(shown.text).not.toContain("logged in");
    expect(fake.requests.some(({ path }) => path === "/token")).toBe(false);
  });
});
