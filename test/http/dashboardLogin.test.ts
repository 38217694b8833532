import { describe, expect, it, onTestFinished } from "vitest";
import { serve } from "../../src/http/index.js";
import { nextFact, running, temporaryFolder } from "../support.js";
import { fakeAuth } from "../auth/support.js";
import type { FakeAuthOptions } from "../../src/testing/auth/types.js";
import { chromiumPath, useBrowser } from "./browser.js";

const { visit, folder } = useBrowser();

/** The dashboard of a real fleet whose one server waits for a login. */
async function parked(options: FakeAuthOptions = {}) {
  const fake = await fakeAuth({ scopes: ["read", "files:write"], ...options });
  const home = temporaryFolder();
  const supervisor = await running([{ id: "remote", url: fake.url }], { home });
  const service = await serve(supervisor, { home, dashboard: folder() });
  onTestFinished(() => service.close());
  const seen = await visit(service.loginLink());
  const dialogue = seen.page.getByTestId("login");
  const server = seen.page.getByTestId("server");
  const begin = () => server.getByRole("button", { name: "Log in" }).click();
  return { fake, supervisor, dialogue, server, begin, ...seen };
}

describe.runIf(chromiumPath !== undefined)("a login on the dashboard", () => {
  it("shows issuer and scopes, opens the address by the click itself, and ends with a server that is ready", async () => {
    const { fake, supervisor, page, context, dialogue, server, begin, complaints } = await parked();
    const connected = nextFact(supervisor, "mcp.connected");
    await begin();
    await dialogue.getByText(fake.issuer).waitFor();

    expect(await dialogue.getByTestId("scopes").innerText()).toMatch(/read\s+files:write/);
    const link = dialogue.getByRole("link");
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
    expect(await link.getAttribute("target")).toBe("_blank");
    expect(fake.requests.some(({ path }) => path === "/authorize")).toBe(false);
    expect(context.pages()).toHaveLength(1);

    const [opened] = await Promise.all([context.waitForEvent("page"), link.click()]);
    await opened.getByRole("heading", { name: "Logged in" }).waitFor();
    expect(await opened.evaluate("window.opener === null && document.referrer === ''")).toBe(true);
    await connected;

    await dialogue.waitFor({ state: "detached" });
    await page.getByText("remote is logged in").waitFor();
    await server.getByText(`at ${fake.issuer}`).waitFor();
    await server.getByTestId("state").getByText("ready").waitFor();

    await server.getByRole("button", { name: "Log out" }).click();
    await server.getByRole("button", { name: "Really log out?" }).click();
    await page.getByText("its tokens are revoked").waitFor();
    await server.getByRole("button", { name: "Log in" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("takes a pasted address, and says what is wrong with another one", async () => {
    const { fake, supervisor, dialogue, begin } = await parked();
    const connected = nextFact(supervisor, "mcp.connected");
    await begin();
    const address = await dialogue.getByRole("link").getAttribute("href");
    const field = dialogue.locator('[name="callback"]');

    await field.fill("https://elsewhere.example/?code=1");
    await dialogue.getByRole("button", { name: "Finish" }).click();
    await dialogue.getByRole("alert").getByText("does not begin with").waitFor();
    await field.fill(await fake.agree(address ?? ""));
    await dialogue.getByRole("button", { name: "Finish" }).click();

    await connected;
    await dialogue.waitFor({ state: "detached" });
    expect(supervisor.server("remote")?.status().state).toBe("ready");
  });

  it("is given up by a button and by Escape, and can be begun again", async () => {
    const { supervisor, page, dialogue, begin } = await parked();
    for (const leave of [
      () => dialogue.getByRole("button", { name: "Cancel" }).click(),
      () => page.keyboard.press("Escape"),
    ]) {
      const settled = nextFact(supervisor, "mcp.auth.settled");
      await begin();
      await dialogue.getByRole("link").waitFor();
      await leave();

      expect(await settled).toMatchObject({ ok: false });
      await dialogue.waitFor({ state: "detached" });
    }
    await begin();
    await dialogue.getByRole("link").waitFor();
  });

  it("takes over from a page that was closed or loaded anew", async () => {
    const { page, dialogue, begin } = await parked();
    await begin();
    const before = await dialogue.getByRole("link").getAttribute("href");

    await page.reload();
    await begin();
    await dialogue.getByRole("button", { name: "End that one and begin here" }).click();

    await dialogue.getByRole("link").waitFor();
    expect(await dialogue.getByRole("link").getAttribute("href")).not.toBe(before);
  });

  it("says why there can be none", async () => {
    const { supervisor, dialogue, begin } = await parked({ registration: false });
    await begin();

    await dialogue.getByRole("alert").getByText("clientId").waitFor();
    await dialogue.getByRole("button", { name: "Close" }).click();
    await dialogue.waitFor({ state: "detached" });
    expect(supervisor.server("remote")?.status().state).toBe("parked");
  });

  it.each([1280, 390])("fits a page of %d pixels", async (width) => {
    const { page, dialogue, begin } = await parked();
    await page.setViewportSize({ width, height: 800 });
    if (width < 500) await page.getByRole("button", { name: "Server", exact: true }).click();
    await begin();
    await dialogue.getByRole("link").waitFor();

    const box = await dialogue.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    if (process.env["SHOTS"] !== undefined)
      await page.screenshot({ path: `${process.env["SHOTS"]}/login-${width}.png` });
  });
});
