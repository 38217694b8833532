import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  connectService,
  ensureToken,
  findService,
  rotateToken,
  serve,
  ServiceError,
  tokenPath,
  type Service,
} from "../../src/http/index.js";
import { createSessions } from "../../src/http/guard/sessions.js";
import { ManualClock } from "../cli/support/manualClock.js";
import { approvalOf, fakeSupervisor, toolOf } from "./fakeSupervisor.js";
import { rig, tempFolder, until } from "./rig.js";

describe("the token", () => {
  it("is 256 random bits in a file of mode 0600 in a folder of mode 0700, and stays", async () => {
    const home = join(await tempFolder(), "home");

    const first = await ensureToken(home);
    const again = await ensureToken(home);

    expect(Buffer.from(first, "base64url")).toHaveLength(32);
    expect(again).toBe(first);
    expect((await stat(tokenPath(home))).mode & 0o777).toBe(0o600);
    expect((await stat(home)).mode & 0o777).toBe(0o700);
    expect(await ensureToken(await tempFolder())).not.toBe(first);
  });

  it("is refused when others may read it, when it is a link, and when it is something else", async () => {
    const open = await tempFolder();
    await ensureToken(open);
    await chmod(tokenPath(open), 0o640);
    const linked = await tempFolder();
    await symlink(tokenPath(open), tokenPath(linked));
    const short = await tempFolder();
    await writeFile(tokenPath(short), "hunter2\n", { mode: 0o600 });

    await expect(ensureToken(open)).rejects.toThrow("chmod 600");
    await expect(ensureToken(linked)).rejects.toThrow("must be a plain file");
    await expect(ensureToken(short)).rejects.toThrow("does not hold a token");
  });

  it("is replaced by rotate", async () => {
    const home = await tempFolder();
    const first = await ensureToken(home);

    const next = await rotateToken(home);

    expect(next).not.toBe(first);
    expect(await ensureToken(home)).toBe(next);
  });
});

const codeOf = (link: string): string | undefined => /#login=([\w-]{43})$/.exec(link)?.[1];

describe("logging in", () => {
  const json = { "content-type": "application/json" };
  const logIn = (service: Service, code: string | undefined): Promise<Response> =>
    fetch(`${service.url}/api/mcp/login`, { method: "POST", headers: json, body: JSON.stringify({ code }) });
  /** Both halves of a new login. */
  async function halves(service: Service): Promise<{ cookie: string; page: string }> {
    const answer = await logIn(service, codeOf(service.loginLink()));
    const { page } = (await answer.json()) as { page: string };
    return { cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "", page };
  }

  it("turns a link into a strict cookie that has the port in its name, and the page's half, once", async () => {
    const { service, token } = await rig();
    const link = service.loginLink();

    const first = await logIn(service, codeOf(link));
    const second = await logIn(service, codeOf(link));

    const cookie = first.headers.get("set-cookie") ?? "";
    const text = await first.text();
    expect(first.status).toBe(200);
    expect(second.status).toBe(401);
    expect(cookie).toMatch(/^mcpvisor-\d+=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
    expect(cookie).toContain(`mcpvisor-${service.port}=`);
    expect(JSON.parse(text)).toEqual({ page: expect.stringMatching(/^[\w-]{43}$/) });
    for (const shown of [link, cookie, text]) expect(shown).not.toContain(token);
    expect(cookie).not.toContain((JSON.parse(text) as { page: string }).page);
  });

  it("takes both halves of one login, to read, and to change things from a page of this very origin", async () => {
    const { service, fake } = await rig();
    fake.set({ id: "files" });
    const { cookie, page } = await halves(service);
    const restart = (more: Record<string, string>): Promise<number> =>
      fetch(`${service.url}/api/mcp/servers/files/restart`, {
        method: "POST",
        headers: { ...json, ...more },
      }).then((answer) => answer.status);
    const both = { cookie, "x-mcpvisor-page": page };

    expect((await fetch(`${service.url}/api/mcp/servers`, { headers: both })).status).toBe(200);
    expect(await restart(both)).toBe(401);
    expect(await restart({ ...both, origin: "http://127.0.0.1:1" })).toBe(403);
    expect(await restart({ ...both, origin: service.url })).toBe(200);
  });

  it("is worth nothing by one half, or by halves of two logins: a cookie goes to every port", async () => {
    const { service } = await rig();
    const [one, other] = [await halves(service), await halves(service)];
    const read = (headers: Record<string, string>): Promise<number> =>
      fetch(`${service.url}/api/mcp/servers`, { headers }).then((answer) => answer.status);

    expect(await read({ cookie: one.cookie })).toBe(401);
    expect(await read({ "x-mcpvisor-page": one.page })).toBe(401);
    expect(await read({ cookie: one.cookie, "x-mcpvisor-page": other.page })).toBe(401);
    expect(await read({ cookie: one.cookie, "x-mcpvisor-page": "" })).toBe(401);
    expect(await read({ cookie: `x=1; ${one.cookie}`, "x-mcpvisor-page": one.page })).toBe(200);
  });

  it("lasts twelve hours", async () => {
    const clock = new ManualClock();
    const sessions = createSessions(clock, () => "http://127.0.0.1:7420");
    const { cookie, page } = sessions.redeem(sessions.newCode())!;
    const pair = cookie.split(";")[0]!;

    clock.advance(12 * 3_600_000 - 1);
    expect(sessions.knows(pair, page)).toBe(true);
    clock.advance(1);
    expect(sessions.knows(pair, page)).toBe(false);
  });

  it("keeps sixty-four logins and sixteen codes: the oldest ends", () => {
    const sessions = createSessions(new ManualClock(), () => undefined);
    const first = sessions.redeem(sessions.newCode())!;
    for (let at = 0; at < 63; at++) sessions.redeem(sessions.newCode());
    expect(sessions.knows(first.cookie.split(";")[0], first.page)).toBe(true);
    sessions.redeem(sessions.newCode());
    expect(sessions.knows(first.cookie.split(";")[0], first.page)).toBe(false);

    const code = sessions.newCode();
    for (let at = 0; at < 16; at++) sessions.newCode();
    expect(sessions.redeem(code)).toBeUndefined();
  });

  it("ends with the service", async () => {
    const { service, home, fake } = await rig();
    const { cookie, page } = await halves(service);
    await service.close();
    const next = await serve(fake, { home, dashboard: false, port: service.port! });
    const headers = { cookie, "x-mcpvisor-page": page };
    const { status } = await fetch(`${next.url}/api/mcp/servers`, { headers });
    await next.close();

    expect(status).toBe(401);
  });
});

describe("the lock", () => {
  it("tells where the service is while it runs, readable by the user only", async () => {
    const { home, service } = await rig();

    expect(await findService(home)).toMatchObject({ pid: process.pid, url: service.url });
    expect((await stat(join(home, "service.json"))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(home, "service.json"), "utf8")).not.toContain(await ensureToken(home));

    await service.close();
    expect(await findService(home)).toBeUndefined();
  });

  it("is taken from a service that died, whose pid another process has now", async () => {
    const home = await tempFolder();
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "exit");
    for (const stale of [
      `{"pid":${child.pid},"processStart":"1","startedAt":1}`,
      `{"pid":${process.pid},"processStart":"1","startedAt":1}`,
      `{"pid":`,
    ]) {
      await writeFile(join(home, "service.json"), stale);
      expect(await findService(home)).toBeUndefined();
      const service = await serve(fakeSupervisor(), { home, dashboard: false });
      await service.close();
    }
  });
});

describe("a unix socket", () => {
  it("is open to the user only and serves a client", async () => {
    const folder = join(await tempFolder(), "run");
    const socket = join(folder, "service.sock");
    const { home, fake } = await rig({ socket });
    fake.set({ id: "files" });

    const info = await findService(home);
    const client = await connectService(home, info ?? { pid: 0, processStart: "", startedAt: 0 });
    onTestFinished(() => client.close());

    expect((await client.servers()).map((each) => each.id)).toEqual(["files"]);
    expect((await stat(socket)).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it("replaces a socket nobody answers on, and leaves everything else alone", async () => {
    const folder = await tempFolder();
    const dead = join(folder, "dead.sock");
    const holder = spawn(process.execPath, [
      "-e",
      `require("node:net").createServer().listen(${JSON.stringify(dead)}, () => console.log("up"))`,
    ]);
    await once(holder.stdout, "data");
    holder.kill("SIGKILL");
    await once(holder, "exit");
    const file = join(folder, "file");
    await writeFile(file, "precious");
    const live = join(folder, "live.sock");
    const other = createServer().listen(live);
    await once(other, "listening");
    onTestFinished(() => void other.close());
    const start = async (socket: string): Promise<void> => {
      const home = join(folder, "home");
      await mkdir(home, { recursive: true });
      const service = await serve(fakeSupervisor(), { home, socket, dashboard: false });
      await service.close();
    };

    await start(dead);
    await expect(start(file)).rejects.toThrow("not a socket of ours");
    await expect(start(live)).rejects.toThrow("another program listens");
    expect(await readFile(file, "utf8")).toBe("precious");
    expect(await findService(join(folder, "home"))).toBeUndefined();
  });
});

describe("the client", () => {
  it("does what the command line needs", async () => {
    const { fake, home } = await rig();
    fake.set({ id: "files", state: "idle" });
    fake.setTools([toolOf("files", "read")]);
    fake.ask(approvalOf("a1"));
    const info = await findService(home);
    const client = await connectService(home, info ?? { pid: 0, processStart: "", startedAt: 0 });
    onTestFinished(() => client.close());

    expect((await client.tools()).map((each) => each.name)).toEqual(["mcp_files_read"]);
    expect(await client.call("mcp_files_read", { path: "a" })).toMatchObject({
      ok: true,
      text: '{"path":"a"}',
    });
    expect((await client.connect("files")).state).toBe("ready");
    expect((await client.restart("files")).state).toBe("ready");
    expect((await client.disconnect("files")).state).toBe("idle");
    expect((await client.disable("files")).state).toBe("disabled");
    expect((await client.enable("files")).state).toBe("idle");
    expect((await client.approvals()).map((each) => each.id)).toEqual(["a1"]);
    await client.approve("a1", "deny");
    expect(fake.decisions).toEqual([{ id: "a1", decision: "deny" }]);
    expect((await client.saveServer({ id: "new", command: "x" })).id).toBe("new");
    await client.removeServer("new");
    expect(await client.loginLink()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#login=[\w-]{43}$/);
  });

  it("turns problems into errors with their code", async () => {
    const { home } = await rig();
    const info = await findService(home);
    const client = await connectService(home, info ?? { pid: 0, processStart: "", startedAt: 0 });
    onTestFinished(() => client.close());

    await expect(client.connect("nobody")).rejects.toMatchObject({ status: 404, code: "server-not-found" });
    await expect(client.connect("nobody")).rejects.toThrow(ServiceError);
  });

  it("follows events until it has enough, the signal aborts, or the service ends", async () => {
    const { fake, home, service } = await rig();
    const info = await findService(home);
    const client = await connectService(home, info ?? { pid: 0, processStart: "", startedAt: 0 });
    onTestFinished(() => client.close());
    for (const id of ["a", "b", "c"]) fake.publish({ type: "mcp.retired", id });
    const stop = new AbortController();
    const collect = async (signal?: AbortSignal): Promise<string[]> => {
      const ids: string[] = [];
      for await (const fact of client.events({ after: 1, ...(signal === undefined ? {} : { signal }) })) {
        ids.push("id" in fact ? fact.id : "");
        if (ids.length === 2) stop.abort();
      }
      return ids;
    };

    expect(await collect(stop.signal)).toEqual(["b", "c"]);
    const rest = collect();
    await until(async () => (await client.servers()) !== undefined);
    await service.close();
    expect(await rest).toEqual(["b", "c"]);
  });
});
