import { describe, expect, it } from "vitest";
import { openScreen } from "../../src/cli/screen/screen.js";
import { FakeOutput } from "./support/fakeOutput.js";
import { ManualClock } from "./support/manualClock.js";
import { seen } from "./support/terminalModel.js";

function open(size = { columns: 40, rows: 10 }) {
  const output = new FakeOutput(size);
  const clock = new ManualClock();
  return { output, clock, screen: openScreen(output, clock) };
}

describe("the live screen", () => {
  it("draws over what it drew before", () => {
    const { output, clock, screen } = open();

    screen.draw(() => ["one", "two", "three"]);
    clock.advance(200);
    screen.draw(() => ["uno", "dos"]);

    expect(seen(output.text, 40)).toEqual(["uno", "dos", ""]);
  });

  it("redraws at most ten times a second, and shows the last state in the end", () => {
    const { output, clock, screen } = open();
    let draws = 0;

    for (let step = 0; step < 1000; step += 1) {
      screen.draw(() => {
        draws += 1;
        return [`step ${step}`];
      });
      clock.advance(1);
    }
    clock.advance(100);

    expect(draws).toBeLessThanOrEqual(12);
    expect(seen(output.text, 40)).toEqual(["step 999", ""]);
  });

  it("draws anew after a change of the window's size, over lines that were wrapped by it", () => {
    const { output, clock, screen } = open({ columns: 40, rows: 10 });
    screen.draw((width) => ["x".repeat(width), "end"]);
    clock.advance(200);
    const before = output.chunks.length;

    output.columns = 25;
    output.emit("resize");

    // 39 characters take two rows of 25, "end" takes one.
    expect(output.chunks.slice(before).join("")).toContain("\u001b[3A\r");
    expect(output.chunks.slice(before).join("")).toContain("x".repeat(24));
  });

  it("takes a usual size where the terminal says that it has none", () => {
    const { output, clock, screen } = open({ columns: 0, rows: 0 });

    screen.draw((width) => ["x".repeat(width)]);
    clock.advance(200);
    screen.draw(() => ["one", "two"]);

    expect(seen(output.text, 80)).toEqual(["one", "two", ""]);
    expect(output.text).toContain("x".repeat(79));
  });

  it("counts what does not fit into a low window instead of drawing above it", () => {
    const { output, screen } = open({ columns: 40, rows: 5 });

    screen.draw(() => ["1", "2", "3", "4", "5", "6", "7"]);

    expect(seen(output.text, 40)).toEqual(["1", "2", "3", "… 4 more lines (make the window taller)", ""]);
  });

  it("makes room for a message and comes back below it", () => {
    const { output, clock, screen } = open();
    screen.draw(() => ["table"]);
    clock.advance(200);

    screen.pause();
    output.write("a message\n");
    screen.resume();

    expect(seen(output.text, 40)).toEqual(["a message", "table", ""]);
  });

  it("gives the cursor back and leaves no timer when closed", () => {
    const { output, clock, screen } = open();
    screen.draw(() => ["a"]);
    screen.draw(() => ["b"]);

    screen.close();

    expect(output.text.endsWith("\u001b[?25h")).toBe(true);
    expect(seen(output.text, 40)).toEqual(["b", ""]);
    expect(clock.pending).toBe(0);
    expect(output.listenerCount("resize")).toBe(0);
  });
});
