/**
 * The language of the browser, as formatters take it. Where the system's is `C`, Chromium calls it `en-US@posix`, which
 * none takes; the library of the plots asks for it while it loads, and nothing would be shown at all: so that name is
 * replaced, before anything else runs.
 */
export const language: string = usable();

function usable(): string {
  // The page's model is tested without a browser.
  const { navigator: browser } = globalThis as { navigator?: { readonly language: string } };
  if (browser === undefined) return "en-US";
  try {
    return new Intl.NumberFormat(browser.language).resolvedOptions().locale;
  } catch {
    Object.defineProperty(browser, "language", { value: "en-US" });
    return "en-US";
  }
}
