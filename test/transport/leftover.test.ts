import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { takeLeftover } from "../../src/transport/leftover.js";

/** What is known of a shell's stdout in the moment in which its exit is told. */
function atExit(script: string): Promise<{ all: boolean; text: string }> {
  const child = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "inherit"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => {
    child.once("exit", () => {
      const all = takeLeftover(child.stdout, (chunk) => chunks.push(chunk));
      child.stdout.destroy();
      resolve({ all, text: Buffer.concat(chunks).toString() });
    });
  });
}

describe("what a dead process has left in its pipe", () => {
  it("is taken at once, and is all there is when nobody else holds the pipe", async () => {
    expect(await atExit("printf 'last words'")).toEqual({ all: true, text: "last words" });
  });

  it("may be followed by more when a helper holds the pipe", async () => {
    expect(await atExit("sleep 2 & printf 'last words'")).toEqual({
      all: false,
      text: "last words",
    });
  });

  it("is nothing when the stream has been destroyed", () => {
    const stream = Readable.from(["unread"]);
    stream.destroy();

    expect(takeLeftover(stream, () => expect.fail("took something"))).toBe(true);
  });
});
