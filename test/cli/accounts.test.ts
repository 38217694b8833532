import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Canned, type Fake, type Seen, startFake } from "../builtin/support/fake.js";
import { openSandbox } from "./support/binary.js";

let sandbox: ReturnType<typeof openSandbox>;
let fake: Fake;
let env: Record<string, string>;

beforeEach(async () => {
  sandbox = openSandbox();
  fake = await startFake();
  fake.mood({ kind: "routes", routes: { "GET /user": user } });
  env = { MCPVISOR_GITHUB_URL: fake.url };
});

afterEach(async () => {
  await fake.close();
  sandbox.close();
});

const patient = { timeout: 90_000 };

describe("accounts on the command line", () => {
  it("connects one with a token from stdin, lists it and forgets it", patient, async () => {
    const connected = await sandbox.run(["connect", "github", "--token-stdin"], "canary-token\n", env);
    expect(connected).toMatchObject({ code: 0, stdout: "" });
    expect(connected.stderr).toBe(
      "github: connected as ann, kept in the file; switch its server on with: mcpvisor enable connectors\n",
    );

    const listed = await sandbox.run(["accounts", "--json"], "", env);
    expect(JSON.parse(listed.stdout)).toMatchObject({
      accounts: [{ service: "github", label: "ann", kind: "token", keptIn: "file" }],
    });
    expect(await readFile(join(sandbox.home, "tokens.json"), "utf8")).toContain("canary-token");

    const gone = await sandbox.run(["disconnect-account", "github"], "", env);
    expect(gone).toMatchObject({ code: 0 });
    expect(gone.stderr).toContain("github: Forgotten.");
    expect((await sandbox.run(["accounts"], "", env)).stderr).toContain("no account is connected");
    expect(JSON.stringify([connected, listed, gone])).not.toContain("canary");
  });

  it(
    "takes the token from the environment, and says what the service said to a wrong one",
    patient,
    async () => {
      const wrong = await sandbox.run(["connect", "github"], "", {
        ...env,
        MCPVISOR_GITHUB_TOKEN: "canary-wrong",
      });
      expect(wrong.code).toBe(1);
      expect(wrong.stderr).toMatch(/^error: .*GitHub/);
      expect(wrong.stderr).not.toContain("canary");

      const right = await sandbox.run(["connect", "github", "--json"], "", {
        ...env,
        MCPVISOR_GITHUB_TOKEN: "canary-token",
      });
      expect(JSON.parse(right.stdout)).toMatchObject({ service: "github", label: "ann" });
    },
  );

  it(
    "says how to pass a token where nobody can be asked, and which services there are",
    patient,
    async () => {
      const nobody = await sandbox.run(["connect", "github"]);
      expect(nobody.code).toBe(2);
      expect(nobody.stderr).toContain("pass it with --token-stdin or in MCPVISOR_GITHUB_TOKEN");

      const unknown = await sandbox.run(["disconnect-account", "jira"]);
      expect(unknown.code).toBe(2);
      expect(unknown.stderr).toContain('there is no service "jira"; one of: gmail, github, slack');
    },
  );

  it("means a server when one of this name is enabled, and the account when told so", patient, async () => {
    await sandbox.run(["add", "github", "--", "node", "x.js"]);

    const server = await sandbox.run(["connect", "github", "--token-stdin"], "canary-token", env);
    expect(server.code).toBe(2);
    expect(server.stderr).toContain("no service runs for the state folder");

    const account = await sandbox.run(
      ["connect", "github", "--account", "--token-stdin"],
      "canary-token",
      env,
    );
    expect(account.code).toBe(0);
  });
});

describe("the servers that ship with mcpvisor", () => {
  it("are listed as disabled in a fresh home, and run without a token once enabled", patient, async () => {
    const before = await sandbox.run(["servers", "--json"]);
    expect(JSON.parse(before.stdout)).toMatchObject({
      servers: [
        { id: "gmail", state: "disabled", enabled: false },
        { id: "connectors", state: "disabled", enabled: false },
      ],
    });

    expect(await sandbox.run(["enable", "gmail"])).toMatchObject({ code: 0 });

    const after = await sandbox.run(["servers", "--json", "--wait", "60s"]);
    expect(after.code).toBe(0);
    expect((JSON.parse(after.stdout) as { servers: unknown[] }).servers).toContainEqual(
      expect.objectContaining({ id: "gmail", state: "ready", enabled: true, trusted: true }),
    );
  });
});

function user({ headers }: Seen): Canned {
  return headers.authorization === "Bearer canary-token"
    ? { body: { login: "ann" } }
    : { status: 401, body: { message: `Bad credentials ${String(headers.authorization)}` } };
}
