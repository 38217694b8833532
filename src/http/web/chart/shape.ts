/** A laid-out chart: boxes, frames and lines in one coordinate system, made when the page is built. */
export interface Chart {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly ChartBox[];
  readonly frames: readonly ChartFrame[];
  readonly lines: readonly ChartLine[];
}

interface Rectangle {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A state as hosts see it. */
export interface ChartBox extends Rectangle {
  readonly description: string;
}

/** Around states that have a way out in common. */
export interface ChartFrame extends Rectangle {
  readonly states: readonly string[];
}

/** A possible step; `from` may be a frame. First and last corner are on the borders. */
export interface ChartLine {
  readonly from: string;
  readonly to: string;
  readonly labels: readonly string[];
  readonly points: readonly (readonly [number, number])[];
}
