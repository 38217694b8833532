import { defineConfig } from "vitest/config";
import { rooms } from "./scripts/mutantRooms.mjs";

const room = (process.env["MUTANTS_ROOM"] ?? "policy") as keyof typeof rooms;

export default defineConfig({
  test: {
    include: rooms[room].tests,
    environment: "node",
    testTimeout: 20_000,
    setupFiles: ["scripts/fewRuns.mjs"],
  },
});
