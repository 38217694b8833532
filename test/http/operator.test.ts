import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chromiumPath, useBrowser } from "./browser.js";
import { approvalOf, toolOf } from "./fakeSupervisor.js";
import { livelyFleet } from "./livelyFleet.js";
import { until, type Rig } from "./rig.js";

const { open } = useBrowser();

const lively = ({ fake }: Rig): void => livelyFleet(fake);
/** A folder for pictures, for whoever wants to look at them. */
const pictures = process.env["MCPVISOR_PICTURES"];

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

describe.runIf(chromiumPath !== undefined)("the dashboard, for people", () => {
  it.each([
    [320, 640],
    [414, 896],
    [1024, 768],
    [1440, 900],
  ])("has no finding of axe at %ix%i, in both themes", async (width, height) => {
    const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    for (const dark of [false, true]) {
      const { page } = await open({ prepare: lively, width, height, dark });
      await page.getByTestId("attention").waitFor();
      await page.evaluate(axe);
      const { violations } = await page.evaluate<{ violations: Finding[] }>("axe.run(document)");
      if (pictures !== undefined) {
        mkdirSync(pictures, { recursive: true });
        await page.screenshot({ path: join(pictures, `${width}-${dark ? "dark" : "light"}.png`) });
      }

      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`),
      ).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    }
  });

  it("says at the top what needs attention, with a button that mends it", async () => {
    const { page, fake } = await open({ prepare: lively });
    const list = page.getByTestId("attention");
    await list.waitFor();

    expect(await list.innerText()).toMatch(/mail/);
    await list.getByRole("button", { name: "Try again" }).first().click();

    await until(() => fake.actions.length > 0);
    expect(fake.actions[0]).toMatch(/^connect /);
  });

  it("finds servers, shows only those in trouble, and keeps both in the address over a reload", async () => {
    const { page } = await open({ prepare: lively });
    const rows = page.getByTestId("servers").locator("li");
    await rows.first().waitFor();
    expect(await rows.count()).toBe(8);

    await page
      .getByTestId("counts")
      .getByRole("button", { name: /in trouble/ })
      .click();
    expect(await rows.count()).toBe(1);
    await page
      .getByTestId("counts")
      .getByRole("button", { name: /in trouble/ })
      .click();
    await page.keyboard.press("s");
    await page.getByLabel("Find servers").fill("git");
    expect(await rows.allInnerTexts()).toEqual([expect.stringContaining("github")]);
    await rows.first().getByRole("button").click();
    await page.getByRole("tab", { name: /Output/ }).click();
    await page.reload();

    await rows.first().waitFor();
    expect(await rows.allInnerTexts()).toEqual([expect.stringContaining("github")]);
    expect(await page.getByRole("tab", { name: /Output/ }).getAttribute("aria-selected")).toBe("true");
    expect(page.url()).toContain("server=github");
    expect(await page.title()).toMatch(/^\(\d+\) mcpvisor · \d of 8 ready$/);
  });

  it("takes no habit of the fingers for a yes: `a`, Enter runs nothing, and what destroys looks like it", async () => {
    const { page, fake } = await open({
      prepare: ({ fake: each }) => {
        each.set({ id: "files", name: "files" });
        each.setTools([toolOf("files", "delete_everything")]);
      },
    });
    await page.getByTestId("servers").getByText("files").waitFor();
    fake.ask(
      approvalOf("a1", {
        tool: "delete_everything",
        title: "delete_everything",
        annotations: { destructiveHint: true },
      }),
    );
    const card = page.getByTestId("approvals");
    await card.waitFor();

    await page.keyboard.press("a");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.tagName")).toBe("ARTICLE");
    expect(fake.decisions).toEqual([]);
    expect(await card.getByRole("button", { name: "Allow once" }).getAttribute("class")).toBe("danger");
    expect(await card.getByRole("heading", { level: 3 }).innerText()).toMatch(
      /· delete_everything\s+may destroy something$/,
    );
  });

  it("groups questions about one tool, and denies them all at once", async () => {
    const { page, fake } = await open({ prepare: lively });
    await page.getByTestId("servers").getByText("files").waitFor();
    for (const id of ["b1", "b2", "b3"]) fake.ask(approvalOf(id, { server: "files", tool: "write" }));
    await page.getByText("2 more of the same tool").waitFor();

    await page.getByRole("button", { name: /^Deny all 3/ }).click();

    await until(() => fake.decisions.length === 3);
    expect(fake.decisions.map(({ decision }) => decision)).toEqual(["deny", "deny", "deny"]);
  });

  it("is there where the language of the system is none", async () => {
    const { context, service } = await open({ prepare: lively });
    await context.addInitScript(
      "Object.defineProperty(navigator, 'language', { value: 'en-US@posix', configurable: true })",
    );
    const page = await context.newPage();

    await page.goto(service.loginLink());

    await page.getByTestId("servers").getByText("files").waitFor();
    expect(await page.getByTestId("servers").locator("li").count()).toBe(8);
  });

  it("says that it loads while it does, and not that there is nothing", async () => {
    const { context, service } = await open({ prepare: lively });
    const page = await context.newPage();
    let go: (() => void) | undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    await page.route("**/api/mcp/servers", async (route) => {
      await held;
      await route.continue();
    });

    await page.goto(service.loginLink());

    await page.getByText("Loading the servers …").waitFor();
    expect(await page.getByText("No servers yet").count()).toBe(0);
    go?.();
    await page.getByTestId("servers").getByText("files").waitFor();
  });

  it("notices a service that hangs although its connections stay open", async () => {
    const { page } = await open({ prepare: lively });
    await page.getByTestId("servers").getByText("files").waitFor();
    expect(await page.getByTestId("link").innerText()).toBe("live");

    // Requests are never answered, as by a stopped process; the feed stays open.
    await page.route("**/api/mcp/{network,servers}", () => undefined);

    await page.getByTestId("lost").waitFor({ timeout: 25_000 });
  });
});
