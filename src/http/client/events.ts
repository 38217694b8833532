import type { IncomingMessage } from "node:http";
import type { Fact } from "../../index.js";

/** Which facts `events` gives; without options all from now on. */
export interface EventOptions {
  /** Only facts after this sequence number; those of before now come from the journal. */
  readonly after?: number;
  /** Only facts about these servers, by id. Default: all. */
  readonly servers?: readonly string[];
  /** Only facts of these types, such as `mcp.state`. Default: all. */
  readonly types?: readonly string[];
  /** Ends the stream when it aborts. */
  readonly signal?: AbortSignal;
}

type Pair = [string, string];

/** The facts of one stream of the feed, in order. Events of the feed itself (`hello`, `reset`) are left out. */
export async function* eventsOf(
  open: (path: string, signal?: AbortSignal) => Promise<IncomingMessage>,
  { after, servers = [], types = [], signal }: EventOptions,
): AsyncIterableIterator<Fact> {
  const query = new URLSearchParams([
    ...servers.map((server): Pair => ["server", server]),
    ...types.map((type): Pair => ["type", type]),
    ...(after === undefined ? [] : [["after", String(after)] satisfies Pair]),
  ]);
  const response = await open(`/api/mcp/events?${query.toString()}`, signal);
  response.setEncoding("utf8");
  let rest = "";
  try {
    for await (const chunk of response) {
      const frames = (rest + String(chunk)).split("\n\n");
      rest = frames.pop() ?? "";
      for (const frame of frames) {
        const fact = factOf(frame);
        if (fact !== undefined) yield fact;
      }
    }
  } catch (error) {
    // A service that ends and a caller that has enough both close the stream: the facts are simply over.
    if (!isEnd(error)) throw error;
  } finally {
    response.destroy();
  }
}

/** Our own feed writes one `data:` line per event, and an `id:` for facts only. */
function factOf(frame: string): Fact | undefined {
  const lines = frame.split("\n");
  const data = lines.find((line) => line.startsWith("data: "));
  if (data === undefined || !lines.some((line) => line.startsWith("id: "))) return undefined;
  return JSON.parse(data.slice(6)) as Fact;
}

function isEnd(error: unknown): boolean {
  const { code, name } = error as NodeJS.ErrnoException;
  return code === "ECONNRESET" || name === "AbortError";
}
