import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { rig, type Rig } from "./rig.js";

/** Path of a Chromium, undefined when there is none. */
export const chromiumPath = [process.env["CHROMIUM_PATH"], "/usr/bin/chromium"].find(
  (path) => path !== undefined && existsSync(path),
);

export const howToInstall =
  "no Chromium found: apt-get install chromium, or set CHROMIUM_PATH to the browser to use";

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors and failed scripts so far; a CSP violation is one. */
  readonly complaints: string[];
}

export interface Dashboard extends Rig, Visit {}

export interface Browsing {
  /** A dashboard of a service around a fake supervisor. */
  readonly open: (options?: OpenOptions) => Promise<Dashboard>;
  /** The page behind a one-time link. */
  readonly visit: (link: string) => Promise<Visit>;
  /** Where the dashboard was built to. */
  readonly folder: () => string;
}

/** Builds the dashboard once and keeps one browser for a file of tests. */
export function useBrowser(): Browsing {
  let browser: Browser | undefined;
  let folder = "";
  beforeAll(async () => {
    if (chromiumPath === undefined) return;
    folder = await mkdtemp(join(tmpdir(), "mcpvisor-web-"));
    const configFile = resolve(import.meta.dirname, "../../src/http/web/vite.config.ts");
    await build({ configFile, build: { outDir: folder, emptyOutDir: true } });
    browser = await chromium.launch({ executablePath: chromiumPath, args: flags });
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    folder: () => folder,
    async open({ prepare, width = 1440, height = 900, dark = false } = {}) {
      if (browser === undefined) throw new Error(howToInstall);
      const stage = await rig({ dashboard: folder });
      prepare?.(stage);
      const { page, context, complaints } = await visit(browser, stage.service.loginLink(), {
        width,
        height,
        dark,
      });
      return { ...stage, page, context, complaints };
    },
    visit: (link) => visit(browser, link, { width: 1440, height: 900, dark: false }),
  };
}

async function visit(
  browser: Browser | undefined,
  link: string,
  { width, height, dark }: { width: number; height: number; dark: boolean },
): Promise<Visit> {
  if (browser === undefined) throw new Error(howToInstall);
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    locale: "en-GB",
    reducedMotion: "reduce",
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(link);
  return { page, context, complaints };
}

export interface OpenOptions {
  readonly prepare?: (stage: Rig) => void;
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
}
