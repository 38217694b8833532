import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { auth, login, logout } from "../../src/cli/commands/login.js";
import type { Supervisor } from "../../src/index.js";
import { fakeAuth } from "../auth/support.js";
import { fakeContext, until } from "./support/fakeContext.js";

const nobody = {} as Supervisor;
const patient = { timeout: 60_000 };

async function setUp(oauth?: unknown) {
  const fake = await fakeAuth({ scopes: ["read"] });
  const folder = await mkdtemp(join(tmpdir(), "mcpvisor-login-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const config = join(folder, "mcp.json");
  const entry = { url: fake.url, ...(oauth === undefined ? {} : { oauth }) };
  await writeFile(config, JSON.stringify({ mcpServers: { remote: entry } }), { mode: 0o600 });
  const flags = { home: join(folder, "home"), workspace: folder, config: [config] };
  const desk = fakeContext(nobody);
  return { fake, folder, flags, ...desk };
}

/** The address that the person is shown. */
function addressIn(text: string): string | undefined {
  return /(?:Open this address|Opened in the browser): (\S+)\n/.exec(text)?.[1];
}

describe("login on the command line", () => {
  it(
    "shows issuer and scopes before the address, and ends when the browser comes back",
    patient,
    async () => {
      const { fake, flags, context, stdout, stderr } = await setUp();
      const done = login(context, { ...flags, browser: false, json: true }, "remote");
      await until(() => addressIn(stderr.text) !== undefined, "the address");
      const shown = stderr.text;
      expect(shown.indexOf(fake.issuer)).toBeLessThan(shown.indexOf("Open this address"));
      expect(shown).toContain("read (new)");
      await fake.browse(addressIn(shown)!);

      expect(await done).toBe(0);
      expect(JSON.parse(stdout.text)).toMatchObject({
        server: "remote",
        account: "default",
        state: "logged-in",
        issuer: fake.issuer,
        scopes: ["read"],
      });
      const [file] = await readdir(join(flags.home, "auth"));
      const kept = await readFile(join(flags.home, "auth", file!), "utf8");
      for (const [token] of kept.matchAll(/[ar]t-[\w-]+/g))
        expect(stdout.text + stderr.text).not.toContain(token);
    },
  );

  it("takes a pasted address, and says what is wrong with another one", patient, async () => {
    const { fake, flags, context, stdin, stderr } = await setUp();
    const done = login(context, { ...flags, paste: true }, "remote");
    await until(() => stderr.text.includes("Paste the whole address"), "the question");
    stdin.write("https://elsewhere.example/?code=x\n");
    const before = stderr.text.length;
    await until(() => stderr.text.length > before || stderr.text.includes("address of"), "the verdict");
    stdin.write(`${await fake.agree(addressIn(stderr.text)!)}\n`);

    expect(await done).toBe(0);
    expect(stderr.text).toContain(`remote: logged in at ${fake.issuer} as account "default"`);
  });

  it("lists accounts by server, and logs out with revocation", patient, async () => {
    const { fake, flags, context, stdin, stdout, stderr } = await setUp();
    expect(await auth(context, { ...flags, json: true })).toBe(0);
    expect(JSON.parse(stdout.text)).toMatchObject({ accounts: [{ server: "remote", state: "logged-out" }] });
    const done = login(context, { ...flags, paste: true, account: "work" }, "remote");
    await until(() => stderr.text.includes("Paste the whole address"), "the question");
    stdin.write(`${await fake.agree(addressIn(stderr.text)!)}\n`);
    expect(await done).toBe(0);
    expect(stderr.text).toContain('as account "work"');

    expect(await logout(context, { ...flags, account: "work" }, "remote")).toBe(0);
    expect(stderr.text).toContain("the tokens are forgotten and revoked");
    expect(fake.requests.some(({ path }) => path.includes("revo"))).toBe(true);
  });

  it("ends with what went wrong when nobody answers in time", patient, async () => {
    const { flags, context } = await setUp();
    await expect(login(context, { ...flags, browser: false, timeout: "300ms" }, "remote")).rejects.toThrow(
      "nobody answered within",
    );
  });

  it("says what to write instead", patient, async () => {
    const { flags, context } = await setUp(false);
    await expect(login(context, flags, "remote")).rejects.toThrow("takes no tokens");
    await expect(login(context, flags, "other")).rejects.toThrow('there is no server "other"');
    await expect(login(context, { ...flags, device: true, paste: true }, "remote")).rejects.toThrow(
      "--paste",
    );
  });

  it("names a file that cannot be used, and leaves it as it is", patient, async () => {
    const { fake, flags, context, stdin, stdout, stderr } = await setUp();
    const done = login(context, { ...flags, paste: true }, "remote");
    await until(() => stderr.text.includes("Paste the whole address"), "the question");
    stdin.write(`${await fake.agree(addressIn(stderr.text)!)}\n`);
    await done;
    const path = join(flags.home, "auth", (await readdir(join(flags.home, "auth")))[0]!);
    await writeFile(path, '{"version": 1, "tok');

    expect(await auth(context, flags)).toBe(1);
    expect(stdout.text).toContain("unreadable");
    expect(stderr.text).toContain(path);
    expect(await readFile(path, "utf8")).toBe('{"version": 1, "tok');
  });
});
