import { describe, expect, it, onTestFinished } from "vitest";
import { serve } from "../../src/http/index.js";
import { running, scripted, temporaryFolder } from "../support.js";
import { until } from "./rig.js";
import { chromiumPath, useBrowser } from "./browser.js";

const { visit, folder } = useBrowser();

describe.runIf(chromiumPath !== undefined)("the dashboard of a real fleet", () => {
  it("asks before a call, shows its result, and draws a restart on the chart", async () => {
    const home = temporaryFolder();
    const supervisor = await running([scripted("one", "scripted.mjs")], { home, mode: "ask" });
    const service = await serve(supervisor, { home, dashboard: folder() });
    onTestFinished(() => service.close());
    const { page, complaints } = await visit(service.loginLink());

    await page.locator('[data-state="ready"].current').waitFor();
    await page.getByRole("tab", { name: /Tools/ }).click();
    await page.getByTestId("tools").getByText("echo").first().click();
    await page.locator('[name="arg-"]').fill('{"text":"over the page"}');
    await page.getByRole("button", { name: "Call", exact: true }).click();
    await page.getByTestId("approvals").getByText('"over the page"').waitFor();
    await page.getByRole("button", { name: "Allow once" }).click();
    await page.getByTestId("result").getByText("over the page").waitFor();
    await page.getByRole("button", { name: "Restart" }).click();
    await page.getByText("one restarted").waitFor();
    await page.getByRole("tab", { name: "Overview" }).click();
    await page.locator('[data-state="ready"].current').waitFor();
    await until(async () => (await page.locator('[data-line="alive closing"].taken').count()) === 1);

    expect(supervisor.server("one")?.status().generation).toBe(2);
    expect(await page.locator('[data-line="listing ready"].taken').count()).toBe(1);
    expect(await page.getByTestId("restarts").innerText()).toContain("one");
    expect(complaints).toEqual([]);
  });
});
