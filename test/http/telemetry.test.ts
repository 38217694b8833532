import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { describe, expect, it, onTestFinished } from "vitest";
import { startTelemetry } from "../../src/http/index.js";
import type { FailureKind } from "../../src/index.js";
import { fakeSupervisor, type FakeSupervisor } from "./fakeSupervisor.js";

const begin = 1_800_000_000_000;

interface Sdk {
  readonly fake: FakeSupervisor;
  readonly spans: InMemorySpanExporter;
  readonly metrics: () => Promise<Map<string, { attributes: object; value: unknown }[]>>;
  readonly stop: () => void;
}

async function sdk(options: { spans?: boolean } = {}): Promise<Sdk> {
  const fake = fakeSupervisor();
  const spans = new InMemorySpanExporter();
  const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });
  onTestFinished(() => meters.shutdown());
  const telemetry = await startTelemetry(fake, {
    tracer: tracers.getTracer("test"),
    meter: meters.getMeter("test"),
    ...options,
  });
  return {
    fake,
    spans,
    stop: () => telemetry.stop(),
    async metrics() {
      exporter.reset();
      await meters.forceFlush();
      const found = exporter
        .getMetrics()
        .flatMap((each) => each.scopeMetrics.flatMap((scope) => scope.metrics));
      return new Map(
        found.map((metric) => [
          metric.descriptor.name,
          metric.dataPoints.map(({ attributes, value }) => ({ attributes, value })),
        ]),
      );
    },
  };
}

function call(fake: FakeSupervisor, id: string, failure?: FailureKind): void {
  fake.publish({ type: "mcp.call.started", call: "c1", id, tool: "read", name: `mcp_${id}_read` }, begin);
  fake.publish(
    {
      type: "mcp.call.settled",
      call: "c1",
      id,
      tool: "read",
      name: `mcp_${id}_read`,
      ok: failure === undefined,
      ...(failure === undefined ? {} : { failure }),
      sent: "yes",
      queuedMs: 30,
      durationMs: 220,
      resultChars: 10,
    },
    begin + 250,
  );
}

describe("spans", () => {
  it("stand for calls with the names and times of the MCP conventions", async () => {
    const { fake, spans } = await sdk();
    fake.set({ id: "files" });
    call(fake, "files");

    const [span] = spans.getFinishedSpans();
    expect(span?.name).toBe("tools/call read");
    expect(span?.kind).toBe(SpanKind.CLIENT);
    expect(span?.startTime).toEqual([1_800_000_000, 0]);
    expect(span?.duration).toEqual([0, 250_000_000]);
    expect(span?.status.code).toBe(SpanStatusCode.UNSET);
    expect(span?.attributes).toEqual({
      "mcp.method.name": "tools/call",
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "read",
      "mcp.protocol.version": "2025-11-25",
      "network.transport": "pipe",
      "mcpvisor.call.sent": "yes",
      "mcpvisor.call.queued_ms": 30,
    });
  });

  it.each([
    ["tool-error", "tool_error"],
    ["timeout", "timeout"],
    ["outcome-unknown", "outcome-unknown"],
  ] as const)("of a call that failed with %s are errors of type %s", async (failure, type) => {
    const { fake, spans } = await sdk();
    fake.set({
      id: "web",
      transport: "http",
      target: { kind: "http", url: "https://mcp.example.com/v1?key=1" },
    });
    call(fake, "web", failure);

    const [span] = spans.getFinishedSpans();
    expect(span?.status.code).toBe(SpanStatusCode.ERROR);
    expect(span?.attributes).toMatchObject({
      "error.type": type,
      "network.transport": "tcp",
      "network.protocol.name": "http",
      "server.address": "mcp.example.com",
      "server.port": 443,
    });
    expect(JSON.stringify(span?.attributes)).not.toContain("key=1");
  });

  it("are left to the host when it asks for that", async () => {
    const { fake, spans, metrics } = await sdk({ spans: false });
    call(fake, "files");

    expect(spans.getFinishedSpans()).toEqual([]);
    expect((await metrics()).has("mcp.client.operation.duration")).toBe(true);
  });

  it("end when telemetry stops, and nothing is told afterwards", async () => {
    const { fake, spans, stop } = await sdk();
    fake.publish({ type: "mcp.call.started", call: "c9", id: "files", tool: "slow", name: "mcp_files_slow" });
    stop();
    call(fake, "files");

    expect(spans.getFinishedSpans().map((span) => span.name)).toEqual(["tools/call slow"]);
  });
});

describe("metrics", () => {
  it("measure operations in the buckets of the conventions", async () => {
    const { fake, metrics } = await sdk();
    fake.set({ id: "files" });
    call(fake, "files", "tool-error");

    const [point] = (await metrics()).get("mcp.client.operation.duration") ?? [];
    expect(point?.attributes).toEqual({
      "mcp.method.name": "tools/call",
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "read",
      "mcp.protocol.version": "2025-11-25",
      "network.transport": "pipe",
      "error.type": "tool_error",
    });
    expect(point?.value).toMatchObject({
      sum: 0.19,
      count: 1,
      buckets: { boundaries: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300] },
    });
  });

  it("measure sessions, with an error type only for those that broke", async () => {
    const { fake, metrics } = await sdk();
    fake.set({ id: "files" });
    for (const [kind, seconds] of [
      ["idle", 60],
      ["crashed", 5],
    ] as const) {
      fake.publish(
        {
          type: "mcp.connected",
          id: "files",
          name: "files",
          generation: 1,
          tools: 1,
          protocolVersion: "2025-11-25",
          server: { name: "f", version: "1" },
        },
        begin,
      );
      fake.publish(
        { type: "mcp.disconnected", id: "files", name: "files", reason: { kind, message: "x" } },
        begin + seconds * 1000,
      );
    }

    const points = (await metrics()).get("mcp.client.session.duration") ?? [];
    expect(points.map(({ attributes, value }) => [attributes, (value as { sum: number }).sum])).toEqual([
      [{ "mcp.protocol.version": "2025-11-25", "network.transport": "pipe" }, 60],
      [{ "mcp.protocol.version": "2025-11-25", "network.transport": "pipe", "error.type": "crashed" }, 5],
    ]);
  });

  it("count restarts and show what is in flight now", async () => {
    const { fake, metrics } = await sdk();
    fake.set({ id: "files", inFlight: 2, queued: 5 });
    const cause = { kind: "retry", message: "again" } as const;
    fake.publish({ type: "mcp.state", id: "files", generation: 1, from: "idle", to: "connecting", cause });
    fake.publish({
      type: "mcp.state",
      id: "files",
      generation: 2,
      from: "reconnecting",
      to: "connecting",
      cause,
    });

    const found = await metrics();
    const server = { "mcpvisor.server": "files" };
    expect(found.get("mcpvisor.server.restarts")).toEqual([{ attributes: server, value: 1 }]);
    expect(found.get("mcpvisor.calls.in_flight")).toEqual([{ attributes: server, value: 2 }]);
    expect(found.get("mcpvisor.calls.queued")).toEqual([{ attributes: server, value: 5 }]);
    expect(found.get("mcpvisor.server.up")).toEqual([{ attributes: server, value: 1 }]);
  });
});
