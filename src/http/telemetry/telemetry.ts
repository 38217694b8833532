import type { Attributes, Histogram, Meter, Span, Tracer } from "@opentelemetry/api";
import { isServing, serverMs } from "../../index.js";
import type { CallSubject, Fact, FactOf, Supervisor } from "../../index.js";
import { isLaterLife } from "./laterLife.js";
import { operationBuckets } from "./metrics.js";
import { callAttributes, errorType, sessionError, transportAttributes } from "./attributes.js";

type Api = typeof import("@opentelemetry/api");

/** Where spans and metrics go; all of them may be left out. */
export interface TelemetryOptions {
  /** Default: the tracer named `mcpvisor` of the provider that the host has registered. */
  readonly tracer?: Tracer;
  /** Default: the meter named `mcpvisor` of the provider that the host has registered. */
  readonly meter?: Meter;
  /** False when an outer span of the host already stands for each tool call. Default: true. */
  readonly spans?: boolean;
}

/** Running telemetry of one supervisor. */
export interface Telemetry {
  /** For `createSupervisor({ callMeta })`: the W3C trace context of the call's own span (SEP-414). */
  callMeta(call: CallSubject): Record<string, string>;
  /** Ends what is open and stops listening. */
  stop(): void;
}

/**
 * Spans and metrics for OpenTelemetry, made from facts, with the names of the MCP conventions (docs/telemetry.md).
 * Rejects when `@opentelemetry/api` is not installed; costs nothing without a registered SDK.
 */
export async function startTelemetry(
  supervisor: Supervisor,
  options: TelemetryOptions = {},
): Promise<Telemetry> {
  const api = await load();
  const tracer = options.tracer ?? api.trace.getTracer("mcpvisor");
  const meter = options.meter ?? api.metrics.getMeter("mcpvisor");
  const spans = options.spans === false ? undefined : createSpans(supervisor, api, tracer);
  const metrics = createMeters(supervisor, meter);
  const subscription = supervisor.events$.subscribe((fact) => {
    spans?.take(fact);
    metrics.take(fact);
  });
  return {
    callMeta: (call) => spans?.context(call.id) ?? {},
    stop() {
      subscription.unsubscribe();
      spans?.stop();
      metrics.stop();
    },
  };
}

async function load(): Promise<Api> {
  try {
    return await import("@opentelemetry/api");
  } catch (error) {
    throw new Error("telemetry needs the package @opentelemetry/api; run: npm install @opentelemetry/api", {
      cause: error,
    });
  }
}

interface Taker {
  take(fact: Fact): void;
  stop(): void;
}

interface SpanTaker extends Taker {
  context(call: string): Record<string, string>;
}

/** One CLIENT span per call. Facts carry the times, so a span is as long as the call was. */
function createSpans(supervisor: Supervisor, api: Api, tracer: Tracer): SpanTaker {
  const { SpanKind, SpanStatusCode } = api;
  const open = new Map<string, Span>();
  const end = (fact: FactOf<"mcp.call.settled">): void => {
    const span = open.get(fact.call);
    open.delete(fact.call);
    const error = errorType(fact);
    if (error !== undefined) {
      span?.setAttribute("error.type", error);
      span?.setStatus({ code: SpanStatusCode.ERROR, message: error });
    }
    span?.setAttributes({
      "mcpvisor.call.sent": fact.sent,
      "mcpvisor.call.queued_ms": fact.queuedMs,
      ...(fact.approvalMs === undefined ? {} : { "mcpvisor.call.approval_ms": fact.approvalMs }),
    });
    span?.end(new Date(fact.at));
  };
  return {
    context(call) {
      const span = open.get(call);
      return span === undefined ? {} : traceContext(span);
    },
    take(fact) {
      if (fact.type === "mcp.call.settled") end(fact);
      if (fact.type !== "mcp.call.started") return;
      const attributes = {
        ...callAttributes(fact.tool),
        ...transportAttributes(supervisor.server(fact.id)?.status()),
      };
      const startTime = new Date(fact.at);
      open.set(
        fact.call,
        tracer.startSpan(`tools/call ${fact.tool}`, { kind: SpanKind.CLIENT, startTime, attributes }),
      );
    },
    stop() {
      for (const span of open.values()) span.end();
      open.clear();
    },
  };
}

function createMeters(supervisor: Supervisor, meter: Meter): Taker {
  const operations = histogram(meter, "mcp.client.operation.duration", "Duration of a request to a server.");
  const sessions = histogram(meter, "mcp.client.session.duration", "Duration of a session with a server.");
  const restarts = meter.createCounter("mcpvisor.server.restarts", { unit: "{restart}" });
  const since = new Map<string, { at: number; attributes: Attributes }>();
  const gauges = createGauges(supervisor, meter);
  return {
    take(fact) {
      switch (fact.type) {
        case "mcp.call.settled":
          if (fact.sent === "no") break;
          operations.record(serverMs(fact) / 1000, {
            ...callAttributes(fact.tool),
            ...transportAttributes(supervisor.server(fact.id)?.status()),
            ...withError(errorType(fact)),
          });
          break;
        case "mcp.connected":
          // A life that took over: the session of the one before it ended without a fact of its own.
          endSession(fact);
          since.set(fact.id, {
            at: fact.at,
            attributes: transportAttributes(supervisor.server(fact.id)?.status()),
          });
          break;
        case "mcp.disconnected":
          endSession(fact, sessionError(fact.reason));
          break;
        case "mcp.state":
          if (isLaterLife(fact)) restarts.add(1, { "mcpvisor.server": fact.id });
          break;
        default:
      }
    },
    stop: () => gauges.stop(),
  };

  function endSession({ id, at }: { readonly id: string; readonly at: number }, error?: string): void {
    const session = since.get(id);
    if (session === undefined || !since.delete(id)) return;
    sessions.record((at - session.at) / 1000, { ...session.attributes, ...withError(error) });
  }
}

function createGauges(supervisor: Supervisor, meter: Meter): { stop(): void } {
  const inFlight = meter.createObservableGauge("mcpvisor.calls.in_flight", { unit: "{call}" });
  const queued = meter.createObservableGauge("mcpvisor.calls.queued", { unit: "{call}" });
  const up = meter.createObservableGauge("mcpvisor.server.up");
  const all = [inFlight, queued, up];
  const observe: Parameters<Meter["addBatchObservableCallback"]>[0] = (result) => {
    for (const { id, state, ...status } of supervisor.servers()) {
      const attributes = { "mcpvisor.server": id };
      result.observe(inFlight, status.inFlight, attributes);
      result.observe(queued, status.queued, attributes);
      result.observe(up, isServing(state) ? 1 : 0, attributes);
    }
  };
  meter.addBatchObservableCallback(observe, all);
  return { stop: () => meter.removeBatchObservableCallback(observe, all) };
}

function histogram(meter: Meter, name: string, description: string): Histogram {
  const advice = { explicitBucketBoundaries: [...operationBuckets] };
  return meter.createHistogram(name, { description, unit: "s", advice });
}

function withError(error: string | undefined): Attributes {
  return error === undefined ? {} : { "error.type": error };
}

/** W3C Trace Context of a span, level 1. */
function traceContext(span: Span): Record<string, string> {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  const flags = traceFlags.toString(16).padStart(2, "0");
  const state = traceState?.serialize() ?? "";
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...(state === "" ? {} : { tracestate: state }) };
}
