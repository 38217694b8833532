import { nothing, signalSight } from "./sight.js";
import type { StopTools } from "./stopTree.js";
import type { Tree } from "./tree.js";

/** The host is on its way out: whoever is left after this is the watchdog's. */
const longestMs = 500;

/** One look may have missed what changes its session at that moment. */
const looksWithoutNews = 2;

/** Ends trees synchronously: looks, stops and kills until two looks have shown nobody new. */
export function killNow(trees: readonly Tree[], { sweeper, platform, clock }: StopTools): void {
  const deadline = clock.now() + longestMs;
  const killed = new Set<string>();
  if (trees.length === 0) return;
  for (let same = 0; same < looksWithoutNews && clock.now() <= deadline; ) {
    const before = killed.size;
    for (const tree of trees) tree.cgroup?.freeze();
    const seen = sweeper.sweepNow(trees, true);
    for (const tree of trees) {
      const sight = seen.get(tree) ?? nothing;
      tree.cgroup?.kill(tree.spared.keys());
      signalSight(tree, sight, "SIGKILL", platform);
      for (const row of sight.members) killed.add(`${row.pid}:${row.start}`);
    }
    same = killed.size === before ? same + 1 : 0;
  }
}
