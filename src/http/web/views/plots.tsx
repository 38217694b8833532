import { computed } from "@preact/signals";
import type { JSX } from "preact";
import { clockTime, visible } from "../model/format.js";
import { restartsOf, seriesOf, type RestartMark } from "../model/series.js";
import { history, now } from "../model/store.js";
import { theme } from "../model/theme.js";
import { Plot } from "./plot.js";

const slices = 120;
const sliceMs = 5000;
const span = slices * sliceMs;

const slice = computed(() => Math.floor(now.value / 1000) * 1000);
const series = computed(() => seriesOf(history.value.settled, slice.value, slices, sliceMs));
const rates = computed(() => [series.value.x, series.value.ok, series.value.failed]);
const latencies = computed(() => [series.value.x, series.value.p50, series.value.p95]);
const restarts = computed(() => restartsOf(history.value.facts));

const rateLines = [
  { label: "ok", colour: "good", fill: true },
  { label: "failed", colour: "bad", fill: true },
];
const latencyLines = [
  { label: "p50", colour: "accent" },
  { label: "p95", colour: "wait" },
];

/** The fleet over the last ten minutes. */
export function Plots(): JSX.Element {
  return (
    <section class="plots" aria-label="The last ten minutes">
      <Plot title="Calls per second" unit="" lines={rateLines} data={rates.value} theme={theme.value} />
      <Plot title="Latency" unit=" ms" lines={latencyLines} data={latencies.value} theme={theme.value} />
      <Restarts marks={restarts.value} />
    </section>
  );
}

/** One line per server that came back or gave up; newest at the right. */
function Restarts({ marks }: { marks: readonly RestartMark[] }): JSX.Element {
  const recent = marks.filter((mark) => mark.at > now.value - span);
  const ids = [...new Set(recent.map((mark) => mark.id))].slice(0, 5);
  return (
    <figure class="plot restarts" data-testid="restarts">
      <figcaption>
        Restarts
        <span class="key wait">restarted</span>
        <span class="key bad">parked</span>
      </figcaption>
      {ids.length === 0 ? <p class="empty">None in the last ten minutes.</p> : null}
      <ul>
        {ids.map((id) => (
          <li key={id}>
            <span class="name">{id}</span>
            <svg
              viewBox="0 0 100 10"
              preserveAspectRatio="none"
              role="img"
              aria-label={`${countOf(recent, id)} marks`}
            >
              <line x1="0" x2="100" y1="5" y2="5" class="rail" />
              {recent
                .filter((mark) => mark.id === id)
                .map((mark) => (
                  <rect
                    key={mark.at}
                    class={mark.kind}
                    x={Math.max(0, 99 - ((now.value - mark.at) / span) * 100)}
                    y="1"
                    width="0.8"
                    height="8"
                  >
                    <title>{`${clockTime(mark.at)} ${visible(mark.message)}`}</title>
                  </rect>
                ))}
            </svg>
            <b>{countOf(recent, id)}</b>
          </li>
        ))}
      </ul>
    </figure>
  );
}

function countOf(marks: readonly RestartMark[], id: string): number {
  return marks.filter((mark) => mark.id === id).length;
}
