import { describe, expect, it } from "vitest";
import { fakeProvider, turns } from "./fakes/provider.js";
import type { Body, Script } from "./fakes/provider.js";
import { entities, world } from "./world.js";
import type { World } from "./world.js";

/** An answer to a call, as the provider got it. */
export interface Answer {
  readonly id?: string;
  readonly text: string;
  readonly images: number;
}

export interface LoopOptions {
  readonly url: string;
  readonly world: World;
  readonly stream: boolean;
  readonly signal?: AbortSignal;
}

/** How an adapter is tried: a whole agent loop, and where its answers stand in a request. */
export interface Tried {
  readonly name: string;
  /** Resolves with the last text of the model. */
  loop(options: LoopOptions): Promise<string>;
  /** The answers of the last step in the body of a request. */
  answers(body: Body): Answer[];
  /** Names of the tools in a request. */
  tools(body: Body): string[];
  readonly streams?: readonly boolean[];
  /** Bad JSON cannot be written where arguments are an object. Default: false. */
  readonly badJson?: boolean;
  /** Who asks for consent in the loop. Default: the supervisor. */
  readonly frameworkAsks?: boolean;
}

export function holdsLoop(tried: Tried): void {
  describe(`${tried.name}: a whole loop`, () => {
    it.each(tried.streams ?? [false, true])(
      "(streaming: %s) parallel calls, a crash, consent, mistakes",
      async (stream) => {
        const here = await world();
        const { names } = here;
        const long = { duration: 20, steps: 200 };
        const script: Script = turns(
          {
            text: "Let me look.",
            calls: [
              { id: "one", name: names.echo, args: { message: "hi" } },
              { id: "two", name: names.sum, args: { a: 2, b: 40 } },
              { id: "three", name: names.image, args: {} },
            ],
          },
          () => {
            here.killDuring(names.long);
            return { calls: [{ id: "four", name: names.long, args: long }] };
          },
          { calls: [{ id: "five", name: names.echo, args: { message: "again" } }] },
          { calls: [{ id: "six", name: names.create, args: entities }] },
          {
            calls: [
              { id: "seven", name: "ecco", args: {} },
              { id: "eight", name: names.sum, args: tried.badJson ? '{"a": 2,' : { a: "x", b: 1 } },
            ],
          },
          { text: "All done." },
        );
        const fake = await fakeProvider(script);

        const text = await tried.loop({ url: fake.url, world: here, stream });

        expect(text).toBe("All done.");
        expect(fake.requests).toHaveLength(6);
        expect(tried.tools(fake.requests[0])).toEqual(expect.arrayContaining(Object.values(names)));
        const [after, crashed, again, created, mistakes] = fake.requests
          .slice(1)
          .map((body) => tried.answers(body));
        expect(after!.map((each) => each.id)).toEqual(["one", "two", "three"]);
        expect(after!.map((each) => each.text)).toEqual([
          expect.stringContaining("Echo: hi"),
          expect.stringContaining("42"),
          expect.any(String),
        ]);
        expect(after!.reduce((sum, each) => sum + each.images, 0)).toBe(1);
        expect(crashed![0]!.text).toMatch(/may have (run|been)|unknown|ended/);
        expect(again![0]!.text).toContain("Echo: again");
        expect(created![0]!.text).toContain("Ada");
        expect(here.asked.map((each) => each.tool)).toEqual(
          tried.frameworkAsks === true ? [] : ["create_entities"],
        );
        expect(mistakes).toHaveLength(2);
        expect(mistakes![0]!.text).toContain("ecco");
        expect(mistakes![1]!.text.length).toBeGreaterThan(20);
      },
    );

    it("an abort between call and answer reaches the server and ends the loop", async () => {
      const here = await world();
      const controller = new AbortController();
      const fake = await fakeProvider(
        turns(
          { calls: [{ id: "one", name: here.names.long, args: { duration: 30, steps: 300 } }] },
          { text: "Stopped." },
        ),
      );
      const settled = new Promise<string | undefined>((done) => {
        here.supervisor.events$.subscribe((fact) => {
          if (fact.type === "mcp.call.progress") controller.abort();
          if (fact.type === "mcp.call.settled") done(fact.failure);
        });
      });

      const ended = tried.loop({ url: fake.url, world: here, stream: false, signal: controller.signal }).then(
        () => "ended",
        () => "ended",
      );

      expect(await settled).toBe("cancelled");
      expect(await ended).toBe("ended");
    });
  });
}
