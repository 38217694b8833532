import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ServerStatus } from "../../../index.js";
import { layout, type ChartEdge, type ChartNode } from "../chart/layout.js";
import { clockTime, duration, visible } from "../model/format.js";
import type { Step } from "../model/history.js";
import { history, now } from "../model/store.js";
import { signOf, toneOf } from "./stateTone.js";

/** The chart of one server: where it is now is lit, and the way it took in this life is drawn strong. */
export function StateChart({ server }: { server: ServerStatus }): JSX.Element {
  const steps = history.value.steps.get(server.id) ?? [];
  const figure = useRef<HTMLElement>(null);
  // On a narrow screen the chart is wider than its frame: keep the lit state in sight.
  useEffect(() => {
    const lit = figure.current?.querySelector(".current");
    lit?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [server.id, server.state]);
  const taken = new Set(wayOf(steps, server.generation).map((step) => `${step.from} ${step.to}`));
  return (
    <figure ref={figure} class="chart" aria-label={`State chart of ${server.id}: ${server.state}`}>
      <div class="scroll">
        <svg viewBox={`0 0 ${layout.width} ${layout.height}`} role="img" data-testid="chart">
          <title>{`${server.id} is ${server.state}`}</title>
          <defs>
            {["plain", "taken"].map((kind) => (
              <marker
                key={kind}
                id={`arrow-${kind}`}
                viewBox="0 0 8 8"
                refX="7"
                refY="4"
                markerWidth="7"
                markerHeight="7"
                orient="auto"
              >
                <path d="M0 1 7 4 0 7z" class={`arrow ${kind}`} />
              </marker>
            ))}
          </defs>
          {layout.nodes
            .filter((node) => node.group)
            .map((node) => (
              <Frame key={node.id} node={node} />
            ))}
          {layout.edges.map((edge) => (
            <Line key={`${edge.from} ${edge.to}`} edge={edge} taken={taken.has(`${edge.from} ${edge.to}`)} />
          ))}
          {layout.nodes
            .filter((node) => !node.group)
            .map((node) => (
              <Box
                key={node.id}
                node={node}
                server={server}
                visited={steps.some((step) => step.to === node.id)}
              />
            ))}
        </svg>
      </div>
      <Way steps={steps} server={server} />
    </figure>
  );
}

/** The steps of the present life; a server at rest shows how it came there. */
function wayOf(steps: readonly Step[], generation: number): readonly Step[] {
  return steps.filter((step) => step.generation === generation).slice(-16);
}

function Frame({ node }: { node: ChartNode }): JSX.Element {
  return (
    <g class="frame">
      <rect x={node.x} y={node.y} width={node.width} height={node.height} rx="12" />
      <text x={node.x + 14} y={node.y + 19}>
        {node.id}
      </text>
    </g>
  );
}

function Line({ edge, taken }: { edge: ChartEdge; taken: boolean }): JSX.Element {
  const kind = taken ? "taken" : "plain";
  return (
    <polyline
      class={`line ${kind}`}
      points={edge.points.map((point) => point.join(",")).join(" ")}
      marker-end={`url(#arrow-${kind})`}
    />
  );
}

function Box({
  node,
  server,
  visited,
}: {
  node: ChartNode;
  server: ServerStatus;
  visited: boolean;
}): JSX.Element {
  const current = server.state === node.id;
  const tone = toneOf(node.id as ServerStatus["state"]);
  return (
    <g class={`state ${tone}${current ? " current" : ""}${visited ? " visited" : ""}`} data-state={node.id}>
      {node.description === undefined ? null : <title>{node.description}</title>}
      <rect x={node.x} y={node.y} width={node.width} height={node.height} rx="9" />
      <text x={node.x + node.width / 2} y={node.y + node.height / 2 + 4}>
        {node.id}
      </text>
    </g>
  );
}

/** The same as a line of words, with the time spent in each state and the cause on hover. */
function Way({ steps, server }: { steps: readonly Step[]; server: ServerStatus }): JSX.Element {
  const shown = steps.slice(-9);
  return (
    <figcaption class="way">
      <ol>
        {shown.map((step, at) => {
          const end = shown[at + 1]?.at ?? Math.max(now.value, step.at);
          return (
            <li
              key={step.seq}
              class={toneOf(step.to)}
              title={`${clockTime(step.at)} ${visible(step.cause.message)}`}
            >
              <span aria-hidden="true">{signOf(step.to)}</span> {step.to}{" "}
              <small>{duration(end - step.at)}</small>
            </li>
          );
        })}
      </ol>
      <p class="cause">
        {clockTime(server.since)}: {visible(server.cause.message)}
      </p>
    </figcaption>
  );
}
