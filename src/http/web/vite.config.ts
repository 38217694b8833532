import { defineConfig } from "vite";

/** Hashed files without any inline script or style: the page runs under a strict CSP. */
export default defineConfig({
  root: import.meta.dirname,
  base: "/",
  logLevel: "warn",
  build: {
    outDir: "../../../dist/http/web",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
});
