import { realClock } from "../dist/clock.js";
import { inlineFleet } from "../dist/config/entries/inline.js";
import { legacyCodec } from "../dist/protocol/codec.js";
import { openChannel } from "../dist/rpc/liveChannel.js";
import { createDeadlines } from "../dist/rpc/deadlines.js";
import { createBus } from "../dist/streams/bus.js";
import { Dispatcher } from "../dist/supervisor/calls/dispatcher.js";
import { createPermissions } from "../dist/supervisor/consent/permissions.js";
import { createPins } from "../dist/supervisor/consent/pins.js";
import { createRouter } from "../dist/supervisor/calls/router.js";
import { createServerRecord } from "../dist/supervisor/state/serverRecord.js";
import { createCatalog } from "../dist/tools/catalog.js";
import { block, median } from "../lib/blocks.mjs";
import { parameters, report } from "../lib/setup.mjs";

/**
 * Our own layers alone: router, catalog, policy, admission, rpc, result and facts over a transport inside this
 * process that answers with a ready message at the end of the turn. CPU µs per call, 64 in flight.
 */
const { rounds } = parameters();
let handlers;
let ids = [];
const transport = {
  kind: "memory",
  pids: () => [],
  stderrTail: () => [],
  open: async (given) => void (handlers = given),
  send(text, { id }) {
    if (ids.length === 0) setImmediate(answerAll);
    ids.push(id);
    return 0;
  },
  deliveredUpTo: () => 0,
  abandon() {},
};

function answerAll() {
  const now = ids;
  ids = [];
  for (const id of now) {
    handlers.onMessage({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "the answer" }] } });
  }
}

const hooks = { onNotification() {}, onRequest() {}, onClosed() {}, onWarning() {}, renewSession() {} };
const [spec] = inlineFleet([{ id: "bench", command: "true" }], { limits: { inFlight: 64 } }).specs;
const clock = realClock;
const bus = createBus({ clock, journalSize: 10_000 });
const deadlines = createDeadlines(clock);
const catalog = createCatalog({ naming: "flat" });
catalog.configure([spec]);
catalog.setTools("bench", [
  { name: "echo", inputSchema: { type: "object", properties: { text: { type: "string" } } } },
]);
const record = createServerRecord(spec, clock.now());
const channel = await openChannel(transport, legacyCodec("2025-06-18"), hooks);
record.live = { channel, usedAt: 0, prove() {}, lost() {} };
const pins = createPins({ home: undefined, onProblem() {} });
const shared = {
  clock,
  deadlines,
  bus,
  catalog,
  records: new Map([["bench", record]]),
  recordFor: (each) => each,
  approvals: {},
  permissions: createPermissions("allow-trusted", pins),
  closed: undefined,
};
const router = createRouter(shared, new Dispatcher(shared));
const [{ name }] = catalog.list();
const call = () => router.callTool(name, { text: "what is the answer" }, {});
const result = await call();
if (!result.ok) throw new Error(result.text);
await block(call, 50_000, 64);
const taken = [];
for (let round = 0; round < rounds; round++) taken.push((await block(call, 10_000, 64)).cpu);
report({ cpu: median(taken) });
process.exit();
