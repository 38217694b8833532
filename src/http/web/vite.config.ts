import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig } from "vite";
import { layOut, type MachineChart } from "./chart/layout.js";

const states = resolve(import.meta.dirname, "../../../docs/states.json");
const { server } = JSON.parse(readFileSync(states, "utf8")) as { server: MachineChart };

/** Hashed files without any inline script or style: the page runs under a strict CSP. */
export default defineConfig({
  root: import.meta.dirname,
  base: "/",
  logLevel: "warn",
  define: { STATE_CHART: JSON.stringify(layOut(server)) },
  build: {
    outDir: "../../../dist/http/web",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
});
