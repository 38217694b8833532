import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ServerStatus } from "../../../index.js";
import type { ChartBox, ChartFrame, ChartLine } from "../chart/shape.js";
import { clockTime, duration, visible } from "../model/format.js";
import type { Step } from "../model/history.js";
import { history, now } from "../model/store.js";
import { signOf, toneOf } from "./stateTone.js";

const chart = STATE_CHART;

/** The chart of one server: where it is now is lit, and the way it took in this life is drawn strong. */
export function StateChart({ server }: { server: ServerStatus }): JSX.Element {
  const steps = history.value.steps.get(server.id) ?? [];
  const figure = useRef<HTMLElement>(null);
  // On a narrow screen the chart is wider than its frame: keep the lit state in sight.
  useEffect(() => {
    const lit = figure.current?.querySelector(".current");
    lit?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [server.id, server.state]);
  const way = wayOf(steps, server.generation);
  const plain = chart.lines.filter((line) => !isTaken(line, way));
  const taken = chart.lines.filter((line) => isTaken(line, way));
  return (
    <figure ref={figure} class="chart" aria-label={`State chart of ${server.id}: ${server.state}`}>
      <div class="scroll">
        <svg viewBox={`0 0 ${chart.width} ${chart.height}`} role="img" data-testid="chart">
          <title>{`${server.id} is ${server.state}`}</title>
          <defs>
            <Arrow kind="plain" />
            <Arrow kind="taken" />
          </defs>
          {chart.frames.map((frame) => (
            <Frame key={frame.id} frame={frame} />
          ))}
          {plain.map((line) => (
            <Line key={`${line.from} ${line.to}`} line={line} kind="plain" />
          ))}
          {taken.map((line) => (
            <Line key={`${line.from} ${line.to}`} line={line} kind="taken" />
          ))}
          {chart.boxes.map((box) => (
            <Box key={box.id} box={box} server={server} visited={way.some((step) => step.to === box.id)} />
          ))}
        </svg>
      </div>
      <Way steps={steps} server={server} />
    </figure>
  );
}

const alive = chart.frames.find((frame) => frame.id === "alive")?.states ?? [];

/** The steps of the present life, and before them how the last one ended. */
function wayOf(steps: readonly Step[], generation: number): readonly Step[] {
  const present = steps.findIndex((step) => step.generation === generation);
  if (present < 0) return steps.slice(-1);
  const end = steps
    .slice(0, present)
    .findLastIndex(({ from }) => alive.includes(from) && from !== "draining");
  return steps.slice(end < 0 ? 0 : end).slice(-24);
}

function isTaken({ from, to }: ChartLine, way: readonly Step[]): boolean {
  const inside = chart.frames.find((frame) => frame.id === from)?.states ?? [from];
  return way.some((step) => step.to === to && inside.includes(step.from));
}

function Arrow({ kind }: { kind: "plain" | "taken" }): JSX.Element {
  return (
    <marker
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
  );
}

function Frame({ frame }: { frame: ChartFrame }): JSX.Element {
  return (
    <g class={`frame ${frame.id}`}>
      <rect x={frame.x} y={frame.y} width={frame.width} height={frame.height} rx="12" />
      <text x={frame.x + 13} y={frame.y + 19}>
        {frame.id}
      </text>
    </g>
  );
}

function Line({ line, kind }: { line: ChartLine; kind: "plain" | "taken" }): JSX.Element {
  return (
    <polyline
      class={`line ${kind}`}
      points={line.points.map((point) => point.join(",")).join(" ")}
      marker-end={`url(#arrow-${kind})`}
      data-line={`${line.from} ${line.to}`}
    >
      <title>{`${line.from} → ${line.to}: ${line.labels.join(", ")}`}</title>
    </polyline>
  );
}

function Box({
  box,
  server,
  visited,
}: {
  box: ChartBox;
  server: ServerStatus;
  visited: boolean;
}): JSX.Element {
  const current = server.state === box.id;
  const tone = toneOf(box.id as ServerStatus["state"]);
  return (
    <g class={`state ${tone}${current ? " current" : ""}${visited ? " visited" : ""}`} data-state={box.id}>
      <title>{box.description}</title>
      <rect x={box.x} y={box.y} width={box.width} height={box.height} rx="9" />
      <text x={box.x + box.width / 2} y={box.y + box.height / 2 + 4}>
        {box.id}
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
