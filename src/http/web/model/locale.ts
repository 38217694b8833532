/**
 * With `LANG=C` Chromium names a language that its own Intl refuses (`en-US@posix`), and the plots ask for just that when
 * they are loaded. Imported before anything else.
 */
if (!isLocale(navigator.language))
  Object.defineProperty(navigator, "language", { value: "en-US", configurable: true });

function isLocale(name: string): boolean {
  try {
    return Intl.getCanonicalLocales(name).length === 1;
  } catch {
    return false;
  }
}
