import type { Row } from "../matrix.js";

export const outsideRows: readonly Row[] = [
  {
    row: 71,
    fault: "configuration that is broken, doubled, replaced, a link, or writable by others",
    outcome: "the last good one stays, and the error has its place",
    elsewhere: [
      {
        file: "test/config/fleet.test.ts",
        test: "keeps what it had from a file that is broken now, and from an entry that is invalid now",
      },
      { file: "test/config/fleet.test.ts", test: "refuses a file that others may write" },
      { file: "test/config/jsonc.test.ts", test: "reports each key that stands twice, at its second place" },
      {
        file: "test/keep/atomic.test.ts",
        test: "leaves the old or the new file, whole, wherever it is killed",
      },
    ],
  },
  {
    row: 72,
    fault: "clients of the API that are hostile, slow, or gone",
    outcome: "refused, bounded, and their calls are cancelled",
    elsewhere: [
      { file: "test/http/hostile.test.ts", test: "refuses $what" },
      { file: "test/http/hostile.test.ts", test: "closes a connection whose headers never end" },
      { file: "test/http/hostile.test.ts", test: "serves good requests while 1,000 connections say nothing" },
      { file: "test/http/api.test.ts", test: "cancels the call when the client goes away" },
      { file: "test/http/feed.test.ts", test: "drops a reader that does not read, and nobody else" },
    ],
  },
];
