import { useEffect, useRef } from "preact/hooks";
import type { JSX } from "preact";
import uPlot from "uplot";

export interface PlotLine {
  readonly label: string;
  /** Name of a CSS variable. */
  readonly colour: string;
  readonly fill?: boolean;
}

interface PlotProps {
  readonly title: string;
  readonly lines: readonly PlotLine[];
  readonly data: readonly (readonly (number | null)[])[];
  readonly unit: string;
  readonly theme: string;
}

const plotHeight = 92;

/** A small plot over time that follows its data, its width and the theme. */
export function Plot({ title, lines, data, unit, theme }: PlotProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const made = new uPlot(optionsOf(lines, unit, element), data as unknown as uPlot.AlignedData, element);
    plot.current = made;
    const observer = new ResizeObserver(() =>
      made.setSize({ width: element.clientWidth, height: plotHeight }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [theme]);
  useEffect(() => plot.current?.setData(data as unknown as uPlot.AlignedData), [data]);
  return (
    <figure class="plot">
      <figcaption>
        {title}
        {lines.map((line) => (
          <span key={line.label} class={`key ${line.colour}`}>
            {line.label}
          </span>
        ))}
      </figcaption>
      <div ref={place} />
    </figure>
  );
}

function optionsOf(lines: readonly PlotLine[], unit: string, element: HTMLElement): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const axis: uPlot.Axis = {
    stroke: colour("faint"),
    grid: { stroke: colour("edge"), width: 1 },
    ticks: { show: false },
    font: "11px ui-sans-serif, system-ui, sans-serif",
  };
  return {
    width: element.clientWidth,
    height: plotHeight,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 } },
    padding: [8, 6, 0, 0],
    scales: { y: { range: (_, _min, max) => [0, Math.max(1, (max ?? 0) * 1.15)] } },
    series: [
      {},
      ...lines.map(
        (line): uPlot.Series => ({
          label: line.label,
          stroke: colour(line.colour),
          width: 1.5,
          points: { show: false },
          spanGaps: true,
          ...(line.fill === true ? { fill: `${colour(line.colour)}22` } : {}),
        }),
      ),
    ],
    axes: [
      { ...axis, size: 20, space: 60, values: (_, splits) => splits.map((at) => timeOf(at)) },
      {
        ...axis,
        size: 46,
        space: 26,
        values: (_, splits) => splits.map((value) => `${short(value)}${unit}`),
      },
    ],
  };
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toLocaleTimeString(undefined, {
    hour: "2-digit",
    minute: "2-digit",
    hour12: false,
  });
}

function short(value: number): string {
  if (value >= 1000) return `${(value / 1000).toFixed(1)}k`;
  return value >= 10 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(1);
}
