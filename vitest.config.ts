import { defineConfig } from "vitest/config";
import { slowest } from "./test/slowest.js";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    environment: "node",
    // Fails when any process of the tests is left at the end.
    globalSetup: ["test/leftovers.ts"],
    // Real processes on two cores: files run in two forks, so that a slow spawn never looks like a hang.
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: [process.env["CI"] ? "default" : "dot", slowest],
  },
});
