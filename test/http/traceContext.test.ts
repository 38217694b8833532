import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { describe, expect, it } from "vitest";
import { startTelemetry, type Telemetry } from "../../src/http/index.js";
import { running, scripted } from "../support.js";

describe("the trace context", () => {
  it("of a call's span reaches the server in _meta, beside the progress token", async () => {
    let telemetry: Telemetry | undefined;
    const supervisor = await running([scripted("one", "scripted.mjs")], {
      callMeta: (call) => telemetry?.callMeta(call),
    });
    const spans = new InMemorySpanExporter();
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
    telemetry = await startTelemetry(supervisor, { tracer: provider.getTracer("test") });

    const result = await supervisor.callTool("mcp_one_echo", { showMeta: true });
    telemetry.stop();

    const meta = JSON.parse(result.text) as { traceparent: string; progressToken: number };
    const [span] = spans.getFinishedSpans();
    const { traceId, spanId } = span!.spanContext();
    expect(meta.traceparent).toBe(`00-${traceId}-${spanId}-01`);
    expect(typeof meta.progressToken).toBe("number");
  });

  it("is left out when the host's hook throws or gives no text, and the call goes on", async () => {
    const supervisor = await running([scripted("one", "scripted.mjs")], {
      callMeta: ({ tool }) => {
        if (tool === "pid") throw new Error("hook");
        return { traceparent: 7, good: "yes" } as unknown as Record<string, string>;
      },
    });

    expect(await supervisor.callTool("mcp_one_pid", {})).toMatchObject({ ok: true });
    const meta = JSON.parse((await supervisor.callTool("mcp_one_echo", { showMeta: true })).text) as object;

    expect(Object.keys(meta).toSorted()).toEqual(["good", "progressToken"]);
  });
});
