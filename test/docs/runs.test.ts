import { describe, expect, it, onTestFinished } from "vitest";
import { blocks, pages, type Block } from "./blocks.js";
import { Scratch } from "./scratch.js";
import { setUps } from "./setUps.js";

const isRunning = ({ language, excerpt, run }: Block): boolean =>
  !excerpt && (["js", "ts"].includes(language) || (run && language === "sh"));

const running = [...pages.keys()]
  .map((page) => ({
    page,
    steps: blocks.filter((block) => block.page === page && (isRunning(block) || block.output)),
  }))
  .filter(({ steps }) => steps.some(isRunning));

// The folder of a page holds links and a script, which Windows would want in another way.
describe.skipIf(process.platform === "win32")("what a page shows to be typed or written", () => {
  it.each(running)("runs from the top of $page to its end", { timeout: 180_000 }, async ({ page, steps }) => {
    const scratch = new Scratch();
    onTestFinished(() => scratch[Symbol.dispose]());
    setUps[page]?.(scratch);
    const wrong: object[] = [];
    let printed: string | undefined;
    for (const block of steps) {
      if (block.output && printed !== block.text) wrong.push({ place: block.place, printed });
      if (block.output) continue;
      const ran = await scratch.run(block);
      if (ran.code !== 0) wrong.push({ place: block.place, ...ran });
      printed = ran.stdout;
    }

    expect(wrong).toEqual([]);
  });
});
