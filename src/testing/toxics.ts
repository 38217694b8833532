import type { Socket } from "node:net";

/** What is wrong with the network. */
export type Toxic = (
  | {
      /** Everything arrives late. */
      readonly kind: "latency";
      /** By so many milliseconds. */
      readonly ms: number;
    }
  | {
      /** Everything arrives slowly. */
      readonly kind: "bandwidth";
      /** So many bytes a second. */
      readonly bytesPerSecond: number;
    }
  | {
      /** The connection is reset. */
      readonly kind: "reset";
      /** After so many milliseconds. */
      readonly ms: number;
    }
  | {
      /** Everything arrives in small pieces. */
      readonly kind: "slice";
      /** Of so many bytes. */
      readonly bytes: number;
      /** With so many milliseconds between them. */
      readonly ms: number;
    }
  | {
      /** Nothing gets through. */
      readonly kind: "timeout";
      /** The connection is closed after so many milliseconds, or never for 0. */
      readonly ms: number;
    }
  | {
      /** The connection ends. */
      readonly kind: "limit";
      /** After so many bytes. */
      readonly bytes: number;
    }
) & {
  /** To the server (`up`), to the client (`down`). Default: both. */
  readonly direction?: "up" | "down";
  /** Part of the connections that it hits. Default: 1, all. */
  readonly chance?: number;
};

/** Moves bytes from one socket to the other, in order, through the toxics. */
export function passOn(from: Socket, to: Socket, toxics: readonly Toxic[]): void {
  let queue = Promise.resolve();
  let passed = 0;
  const find = <K extends Toxic["kind"]>(kind: K): Extract<Toxic, { kind: K }> | undefined =>
    toxics.find((each): each is Extract<Toxic, { kind: K }> => each.kind === kind);
  const [reset, dead, limit] = [find("reset"), find("timeout"), find("limit")];
  if (reset !== undefined) later(reset.ms, () => from.resetAndDestroy());
  if (dead !== undefined && dead.ms > 0) later(dead.ms, () => from.destroy());

  async function pass(chunk: Buffer): Promise<void> {
    for (const piece of pieces(chunk, find("slice")?.bytes)) {
      const wait = (find("latency")?.ms ?? 0) + (find("slice")?.ms ?? 0) + narrow(piece, find("bandwidth"));
      if (wait > 0) await new Promise<void>((done) => later(wait, done));
      const left = limit === undefined ? piece.length : limit.bytes - passed;
      if (to.destroyed) return;
      to.write(piece.subarray(0, Math.max(0, left)));
      passed += piece.length;
      if (left <= piece.length && limit !== undefined) return void to.end();
    }
  }

  from.on("data", (chunk: Buffer) => {
    if (dead !== undefined) return;
    // Not more in memory than the network would hold.
    from.pause();
    queue = queue.then(() => pass(chunk)).finally(() => from.resume());
  });
  from.on("end", () => {
    queue = queue.finally(() => to.end());
  });
}

function pieces(chunk: Buffer, size: number | undefined): Buffer[] {
  if (size === undefined) return [chunk];
  return Array.from({ length: Math.ceil(chunk.length / size) }, (_, at) =>
    chunk.subarray(at * size, (at + 1) * size),
  );
}

function narrow(piece: Buffer, bandwidth: { readonly bytesPerSecond: number } | undefined): number {
  return bandwidth === undefined ? 0 : (piece.length / bandwidth.bytesPerSecond) * 1000;
}

function later(ms: number, action: () => void): void {
  setTimeout(action, ms).unref();
}
