import { statSync } from "node:fs";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { serve } from "../../src/http/index.js";
import { chromiumPath, howToInstall, useBrowser, type Dashboard } from "./browser.js";
import { approvalOf, resultOf, toolOf, type FakeSupervisor } from "./fakeSupervisor.js";
import { livelyFleet } from "./livelyFleet.js";
import { rig, until, type Rig } from "./rig.js";

const { open, folder, visit } = useBrowser();

const prepare = ({ fake }: Rig): void => {
  fake.set({ id: "files", name: "files" });
  fake.set({ id: "mail", name: "mail", state: "idle" });
  fake.setTools([toolOf("files", "read")]);
};

function step(fake: FakeSupervisor, id: string, from: string, to: string, message = "why not"): void {
  fake.publish({
    type: "mcp.state",
    id,
    generation: 1,
    from: from as "ready",
    to: to as "ready",
    cause: { kind: "opened", message },
  });
}

async function select({ page }: Dashboard, id: string): Promise<void> {
  await page.getByTestId("servers").locator(`[data-server="${id}"] button`).click();
}

describe("the browser", () => {
  it("is there in continuous integration", () => {
    const found = chromiumPath ?? (process.env["CI"] === undefined ? "not needed" : howToInstall);

    expect(found).not.toBe(howToInstall);
  });
});

describe.runIf(chromiumPath !== undefined)("the dashboard", () => {
  it("opens through the one-time link, keeps nothing of it in the address, and breaks no rule of its CSP", async () => {
    const { page, context, complaints, token } = await open({ prepare });

    await page.getByTestId("servers").getByText("files").waitFor();

    const [cookie] = await context.cookies();
    expect(page.url()).not.toContain("login");
    expect(cookie).toMatchObject({
      name: `mcpvisor-${new URL(page.url()).port}`,
      httpOnly: true,
      sameSite: "Strict",
    });
    expect(await page.content()).not.toContain(token);
    expect(complaints).toEqual([]);
  });

  it("stays locked without a link, and says how to get one", async () => {
    const { context, service } = await open({ prepare });
    await context.clearCookies();

    const page = await context.newPage();
    await page.goto(service.url);

    await page.getByTestId("locked").waitFor();
    expect(await page.getByTestId("locked").innerText()).toContain("mcpvisor open");
  });

  it("says when a link was used already", async () => {
    const { page, context, service } = await open({ prepare });
    const link = service.loginLink();
    await page.goto("about:blank");
    await page.goto(link);
    await page.getByTestId("servers").waitFor();
    await context.clearCookies();

    await page.goto("about:blank");
    await page.goto(link);

    await page.getByTestId("locked").waitFor();
    expect(await page.getByTestId("locked").innerText()).toContain("used already");
  });

  it("shows every server with its state and what an operator wants to know", async () => {
    const { page } = await open({ prepare: ({ fake }) => livelyFleet(fake) });
    await page.getByTestId("servers").getByText("legacy").waitFor();

    const rows = await page.getByTestId("servers").locator("li").allInnerTexts();
    const text = rows.map((row) => row.replaceAll(/\s+/g, " ").trim());

    expect(text).toHaveLength(8);
    expect(text[2]).toMatch(/browser ready .*6 tools.*176 calls.*21 failed.*p95 320 ms.*1\+0 now.*3↻.*⚠ 1/);
    expect(text[4]).toMatch(/mail parked/);
    expect(text[5]).toMatch(/search reconnecting in \d+ s/);
    expect(await page.getByTestId("counts").innerText()).toMatch(
      /4\s*ready\s*1\s*waiting\s*1\s*idle\s*1\s*in trouble\s*1\s*off/,
    );
    expect(await page.locator(".plot canvas").count()).toBe(2);
    expect(await page.getByTestId("restarts").innerText()).toMatch(/browser\s*3/);
  });

  it("lights the current state on the chart and draws the way it took", async () => {
    const stage = await open({ prepare });
    const { page, fake } = stage;
    await select(stage, "mail");
    step(fake, "mail", "new", "idle");
    step(fake, "mail", "idle", "connecting");
    step(fake, "mail", "connecting", "initializing", "mail answered");
    fake.set({ id: "mail", state: "initializing", cause: { kind: "opened", message: "mail answered" } });

    await page.locator('[data-state="initializing"].current').waitFor();

    expect(await page.locator(".state.current").count()).toBe(1);
    const lines = await page
      .locator(".line.taken")
      .evaluateAll((all) => all.map((line) => line.getAttribute("data-line") ?? ""));
    expect(new Set(lines)).toEqual(new Set(["connecting initializing", "idle connecting"]));
    expect(await page.locator(".way").innerText()).toMatch(/connecting.*initializing/s);
    expect(await page.locator(".way .cause").innerText()).toContain("mail answered");
    expect(await page.getByTestId("state").innerText()).toContain("initializing");
  });

  it("connects, disconnects and restarts", async () => {
    const stage = await open({ prepare });
    const { page, fake } = stage;
    await select(stage, "mail");
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page.getByText("mail connected").waitFor();
    await page.getByRole("button", { name: "Restart" }).click();
    await page.getByText("mail restarted").waitFor();
    await page.getByRole("button", { name: "Disconnect" }).click();
    await page.getByText("mail disconnected").waitFor();

    expect(fake.actions).toEqual(["connect mail", "restart mail", "disconnect mail"]);
  });

  it("says why a server could not be connected", async () => {
    const stage = await open({ prepare });
    stage.fake.onAction = async () => ({
      state: "parked",
      lastError: {
        kind: "auth-required",
        message: 'server "mail" wants a login; run: mcpvisor connect gmail',
      },
    });
    await select(stage, "mail");
    await stage.page.getByRole("button", { name: "Connect", exact: true }).click();

    await stage.page.locator(".notices").getByText("wants a login").waitFor();
    await stage.page.getByTestId("trouble").getByText("run: mcpvisor connect gmail").waitFor();
    expect(await stage.page.getByTestId("state").innerText()).toContain("parked");
  });

  it("disables and enables a server", async () => {
    const stage = await open({ prepare });
    const { page, fake } = stage;
    await select(stage, "files");
    await page.getByRole("button", { name: "Disable" }).click();
    await page.getByText("files disabled").waitFor();
    await page.getByRole("button", { name: "Enable" }).click();
    await page.getByText("files enabled").waitFor();

    expect(fake.actions).toEqual(["disable files", "enable files"]);
  });

  it.each([
    ["Allow once", "allow"],
    ["Allow for session", "allow-for-session"],
    ["Deny", "deny"],
  ] as const)(
    "answers a question with %s, seeing its arguments and what changed",
    async (label, decision) => {
      const { page, fake } = await open({ prepare });
      await page.getByTestId("servers").waitFor();
      fake.ask(
        approvalOf("a1", {
          difference: [{ field: "description", before: "writes", after: "writes anywhere" }],
        }),
      );

      const card = page.getByTestId("approvals");
      await card.waitFor();
      expect(await card.innerText()).toMatch(/"path": "\/tmp\/a\.txt"/);
      expect(await card.locator("del").innerText()).toContain("writes");
      expect(await card.locator("ins").innerText()).toContain("writes anywhere");
      await card.getByRole("button", { name: label }).click();
      await card.waitFor({ state: "detached" });

      expect(fake.decisions).toEqual([{ id: "a1", decision }]);
    },
  );

  it("tries a tool with a form made from its schema, and shows the result", async () => {
    const { page, fake } = await open({
      prepare: (stage) => {
        prepare(stage);
        stage.fake.setTools([
          toolOf("files", "write", {
            inputSchema: {
              type: "object",
              required: ["path", "lines"],
              properties: {
                path: { type: "string" },
                lines: { type: "array", items: { type: "string" } },
                count: { type: "integer" },
                mode: { enum: ["append", "replace"] },
                force: { type: "boolean" },
                extra: { type: "object" },
              },
            },
          }),
        ]);
      },
    });
    fake.onCall = async (name, args) => resultOf(name, `took ${JSON.stringify(args)}`);
    await page.getByRole("tab", { name: "Tools 1" }).click();
    await page.getByTestId("tools").getByText("write").first().click();
    await page.locator("[name=arg-path]").fill("/tmp/a");
    await page.locator("[name=arg-lines]").fill("one\ntwo");
    await page.locator("[name=arg-count]").fill("two");
    await page.getByRole("button", { name: "Call", exact: true }).click();
    await page.getByText("must be a number").waitFor();
    expect(fake.calls).toEqual([]);

    await page.locator("[name=arg-count]").fill("2");
    await page.locator("[name=arg-mode]").selectOption("append");
    await page.locator("[name=arg-force]").check();
    await page.locator("[name=arg-extra]").fill('{"a":[1]}');
    await page.getByRole("button", { name: "Call", exact: true }).click();
    await page.getByTestId("result").getByText("took").waitFor();

    expect(fake.calls).toMatchObject([
      {
        name: "mcp_files_write",
        args: {
          path: "/tmp/a",
          lines: ["one", "two"],
          count: 2,
          mode: "append",
          force: true,
          extra: { a: [1] },
        },
        options: { caller: "dashboard" },
      },
    ]);
  });

  it("cancels a call that runs too long", async () => {
    const { page, fake } = await open({ prepare });
    fake.onCall = (name, _args, { signal }) =>
      new Promise((done) => signal?.addEventListener("abort", () => done(resultOf(name, "late"))));
    await page.getByRole("tab", { name: "Tools 1" }).click();
    await page.getByTestId("tools").getByText("read").first().click();
    await page.locator("[name=arg-path]").fill("x");
    await page.getByRole("button", { name: "Call", exact: true }).click();
    await page.getByRole("button", { name: "Cancel" }).click();

    await page.getByText("Cancelled.").waitFor();
    await until(() => fake.calls[0]?.options.signal?.aborted === true);
    expect(fake.calls).toHaveLength(1);
  });

  it("shows permission and pin of each tool, and finds tools by word", async () => {
    const stage = await open({ prepare: ({ fake }) => livelyFleet(fake) });
    const { page } = stage;
    await select(stage, "browser");
    await page.keyboard.press("/");
    await page.locator("#tool-search:focus").fill("script");

    const tools = page.getByTestId("tools").locator("li");
    await until(async () => (await tools.count()) === 1);
    expect((await tools.innerText()).replaceAll(/\s+/g, " ")).toContain("run_script deny");
    await page.locator("#tool-search").fill("open_page");
    await page.getByText("changed", { exact: true }).waitFor();
  });

  it("shows live calls with their progress until they settle", async () => {
    const { page, fake } = await open({ prepare });
    await page.getByTestId("servers").waitFor();
    fake.publish({ type: "mcp.call.started", call: "c9", id: "files", tool: "slow", name: "mcp_files_slow" });
    fake.publish({ type: "mcp.call.progress", call: "c9", id: "files", progress: 3, total: 4 });

    const calls = page.getByTestId("calls");
    await calls.getByText("files · slow").waitFor();
    expect(await calls.locator("progress").getAttribute("value")).toBe("3");
    fake.publish({
      type: "mcp.call.settled",
      call: "c9",
      id: "files",
      tool: "slow",
      name: "mcp_files_slow",
      ok: true,
      sent: "yes",
      queuedMs: 0,
      durationMs: 5,
      resultChars: 2,
    });

    await calls.getByText("No call is running.").waitFor();
    await page.getByTestId("feed").getByText("slow ok after 5 ms").waitFor();
  });

  it("filters the feed by kind, by server and by word", async () => {
    const { page, fake } = await open({ prepare });
    await page.getByTestId("servers").waitFor();
    fake.publish({ type: "mcp.log", id: "files", level: "info", message: "alpha" });
    fake.publish({ type: "mcp.log", id: "mail", level: "error", message: "beta" });
    fake.publish({ type: "mcp.retired", id: "mail" });
    const lines = page.getByTestId("feed").locator("li");
    await until(async () => (await lines.count()) === 3);

    await page.getByRole("button", { name: "logs" }).click();
    await until(async () => (await lines.count()) === 2);
    await page.keyboard.press("f");
    await page.locator("#feed-search:focus").fill("beta");
    await until(async () => (await lines.count()) === 1);
    await page.locator("#feed-search").fill("");
    await page.getByRole("button", { name: "this server" }).click();
    await until(async () => (await lines.count()) === 1);

    expect(await lines.innerText()).toContain("alpha");
  });

  it("shows error output and warnings, with hostile characters made visible", async () => {
    const stage = await open({
      prepare: ({ fake }) =>
        fake.set({
          id: "files",
          stderrTail: ["\u001b[2Jgone", "left\u202eright"],
          warnings: ["tool x: <img src=x onerror=alert(1)>"],
        }),
    });
    const { page } = stage;
    await page.getByTestId("servers").waitFor();
    await page.keyboard.press("e");

    expect(await page.getByTestId("stderr").innerText()).toBe("\\u{1b}[2Jgone\nleft\\u{202e}right");
    expect(await page.getByTestId("trouble").innerText()).toContain("<img src=x onerror=alert(1)>");
    expect(await page.locator("img").count()).toBe(0);
  });

  it("can be used with the keyboard alone", async () => {
    const { page, fake } = await open({ prepare });
    await page.getByTestId("servers").waitFor();
    await page.keyboard.press("j");
    await page.locator("h2.name").getByText("mail").waitFor();
    await page.keyboard.press("Shift+C");
    await page.getByText("mail connected").waitFor();
    await page.keyboard.press("k");
    await page.locator("h2.name").getByText("files").waitFor();
    await page.keyboard.press("t");
    await page.locator("#tool-search").waitFor();
    await page.keyboard.press("?");
    await page.getByTestId("help").waitFor();
    await page.keyboard.press("Escape");
    await page.getByTestId("help").waitFor({ state: "detached" });
    fake.ask(approvalOf("a1"));
    await page.getByTestId("approvals").waitFor();
    await page.keyboard.press("a");
    await page.getByTestId("approvals").getByRole("button", { name: "Allow once" }).focus();
    await page.keyboard.press("Enter");
    await page.getByTestId("approvals").waitFor({ state: "detached" });

    expect(fake.actions).toEqual(["connect mail"]);
    expect(fake.decisions).toEqual([{ id: "a1", decision: "allow" }]);
  });

  it("follows the system into the dark, and the button against it", async () => {
    const { page } = await open({ prepare, dark: true });
    const theme = (): Promise<string | null> => page.locator("html").getAttribute("data-theme");
    await page.getByTestId("servers").waitFor();
    const dark = await theme();
    await page.getByRole("button", { name: "Theme: auto" }).click();

    expect([dark, await theme()]).toEqual(["dark", "light"]);
  });

  it("fits on a phone", async () => {
    const stage = await open({ prepare: ({ fake }) => livelyFleet(fake), width: 390, height: 844 });
    const { page } = stage;
    await select(stage, "browser");
    await page.getByRole("button", { name: "Restart" }).waitFor();
    await page.getByRole("button", { name: "Activity (1)" }).click();
    await page.getByRole("button", { name: "Allow once" }).click();
    await page.getByTestId("approvals").waitFor({ state: "detached" });

    const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    expect(overflow).toBeLessThanOrEqual(0);
    expect(stage.fake.decisions).toEqual([{ id: "a1", decision: "allow" }]);
  });

  it("says when the connection is lost, and catches up by replay when it is back", async () => {
    const relay = await openRelay();
    const at = `127.0.0.1:${relay.port}`;
    const stage = await rig({ dashboard: folder(), hosts: [at], origins: [`http://${at}`] });
    prepare(stage);
    relay.to(stage.port);
    const { page } = await visit(stage.service.loginLink().replace(`:${stage.port}`, `:${relay.port}`));
    const { fake } = stage;
    await page.getByTestId("link").getByText("live").waitFor();
    fake.publish({ type: "mcp.log", id: "files", level: "info", message: "before" });
    await page.getByTestId("feed").getByText("before").waitFor();

    relay.cut();
    await page.getByTestId("lost").waitFor();
    const told = await page.getByTestId("lost").innerText();
    fake.publish({ type: "mcp.log", id: "files", level: "info", message: "meanwhile" });
    fake.set({ id: "files", state: "parked" });
    relay.to(stage.port);

    await page.getByTestId("feed").getByText("meanwhile").waitFor();
    await page.getByTestId("lost").waitFor({ state: "detached" });
    await page.getByTestId("servers").getByText("parked").waitFor();
    expect(told).toContain("The connection to the service was lost at");
  });

  it("is locked when the service was started anew: a login ends with it", async () => {
    const { page, fake, service, home, port } = await open({ prepare });
    await page.getByTestId("link").getByText("live").waitFor();

    await service.close();
    await page.getByTestId("lost").waitFor();
    const again = await serve(fake, { home, port, dashboard: folder() });

    await page.getByTestId("locked").waitFor();
    const shown = await page.getByTestId("locked").innerText();
    await again.close();
    expect(shown).toContain("mcpvisor open");
  });
});

/** A port whose connections go to another one, until they are cut; nobody answers then. */
async function openRelay(): Promise<{ port: number; to(port: number): void; cut(): void }> {
  let target: number | undefined;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    if (target === undefined) return void socket.destroy();
    const onward = connect(target, "127.0.0.1");
    for (const each of [socket, onward]) {
      sockets.add(each);
      each.on("error", () => undefined);
      each.once("close", () => {
        sockets.delete(each);
        socket.destroy();
        onward.destroy();
      });
    }
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const cut = (): void => {
    target = undefined;
    for (const each of sockets) each.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, to: (port) => (target = port), cut };
}

// MCPVISOR_PICTURES=1 draws the pictures of docs/dashboard.md anew.
describe.runIf(chromiumPath !== undefined && process.env["MCPVISOR_PICTURES"] !== undefined)(
  "pictures",
  () => {
    it.each([
      ["dashboard.png", false, "Overview"],
      ["dashboard-dark.png", true, "Tools"],
    ] as const)("draws docs/%s", async (file, dark, shown) => {
      const stage = await open({ prepare: ({ fake }) => livelyFleet(fake), dark });
      const { page } = stage;
      await select(stage, "browser");
      await page.getByRole("tab", { name: new RegExp(shown) }).click();
      if (shown === "Tools") await page.getByTestId("tools").getByText("open_page").first().click();
      await until(async () => (await page.getByTestId("feed").locator("li").count()) > 20);
      await page.locator("h1").hover();
      await page.screenshot({ path: resolve(import.meta.dirname, "../../docs", file) });

      expect(stage.complaints).toEqual([]);
    });
  },
);

describe("pictures in the docs", () => {
  it.each(["dashboard.png", "dashboard-dark.png"])("docs/%s is there and small", (file) => {
    const { size } = statSync(resolve(import.meta.dirname, "../../docs", file));

    expect(size).toBeGreaterThan(20_000);
    expect(size).toBeLessThan(300_000);
  });
});
