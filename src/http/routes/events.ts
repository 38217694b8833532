import { z, type OpenAPIHono } from "@hono/zod-openapi";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { ServerResponse } from "node:http";
import type { ApiParts } from "./apiOptions.js";
import { mount, type ApiEnv } from "./endpoint.js";
import type { Feed } from "../feed/feed.js";
import type { FeedFilter } from "../feed/frame.js";
import { feedHeaders, nodeSink, streamSink } from "../feed/sinks.js";
import { ProblemError } from "../guard/problem.js";

const list = z.array(z.string()).optional();
const query = z.object({
  server: list.openapi({ description: "Only facts of these servers; may be repeated." }),
  type: list.openapi({ description: "Only these types; `mcp.call` stands for all of `mcp.call.*`." }),
  after: z
    .array(z.string().regex(/^\d{1,15}$/))
    .max(1)
    .optional()
    .openapi({ description: "Like Last-Event-ID, for clients that cannot send it." }),
});

/** The event feed: facts as server-sent events. */
export function eventRoutes(app: OpenAPIHono<ApiEnv>, { feed, rules }: ApiParts): void {
  mount(
    app,
    {
      method: "get",
      path: "/api/mcp/events",
      tag: "events",
      summary: "Facts as server-sent events",
      description:
        "`id` is the sequence number, `event` the type, `data` the fact. `Last-Event-ID` (or `?after=`) first " +
        "replays what the journal holds after it. A `hello` event begins each stream (`epoch` changes when the " +
        "service was started anew); `reset` says that facts in between are gone: read the lists again. A comment " +
        "every 15 s; a reader with more than 1 MiB untaken is dropped and may come back.",
      query,
      answers: {
        200: { description: "The stream", schema: z.string(), type: "text/event-stream" },
        503: { description: "64 readers are there already", problem: "too-many-readers" },
      },
      handle: ({ query: { server, type, after }, context }) => {
        const filter = { servers: words(server), types: words(type) };
        const place = placeOf(context.req.header("last-event-id") ?? after?.[0]);
        const outgoing = (context.env as ApiEnv["Bindings"] | undefined)?.outgoing;
        return outgoing === undefined ? asStream(feed, filter, place) : asNode(feed, outgoing, filter, place);
      },
    },
    rules.bodyBytes,
  );
}

function asNode(
  feed: Feed,
  outgoing: ServerResponse,
  filter: FeedFilter,
  place: number | undefined,
): Response {
  if (!feed.hasRoom()) throw full();
  outgoing.writeHead(200, { ...feedHeaders });
  const leave = feed.open(nodeSink(outgoing), filter, place);
  outgoing.once("close", leave);
  return RESPONSE_ALREADY_SENT;
}

function asStream(feed: Feed, filter: FeedFilter, place: number | undefined): Response {
  if (!feed.hasRoom()) throw full();
  let leave: (() => void) | undefined;
  const { sink, stream } = streamSink(() => leave?.());
  leave = feed.open(sink, filter, place);
  return new Response(stream, { headers: { ...feedHeaders } });
}

function full(): ProblemError {
  return new ProblemError({
    status: 503,
    slug: "too-many-readers",
    title: "Too many readers of the event feed",
    detail: "Close one, or ask for a higher limit in the options of the service.",
  });
}

function words(values: readonly string[] | undefined): string[] {
  const split = (values ?? []).flatMap((value) => value.split(",")).filter((word) => word !== "");
  return split.toSorted();
}

function placeOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
