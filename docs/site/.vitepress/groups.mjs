/**
 * Pages by what a reader is after: names of files in docs/ without their ending; a name that ends in `/` is all of a
 * folder. `test/docs/site.test.ts` fails for a page that is in no group.
 */
export const groups = {
  Begin: [
    "configuration",
    "cli",
    "dashboard",
    "gateway",
    "embedding",
    "operate",
    "frameworks",
    "builtin-servers",
  ],
  "Trust and access": ["permissions", "authorization", "security"],
  "Build on it": ["tool-names", "results", "failures", "http-api", "events", "telemetry", "chaos"],
  "How it works": ["architecture", "states", "protocol", "transports"],
  Proof: ["reliability", "performance", "interop"],
};
