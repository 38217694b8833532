/** Laid out by vite.config.ts from docs/states.json. */
declare const STATE_CHART: import("./shape.js").Chart;
