import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/** Takes what comes out of an inflater. */
export interface InflaterSink {
  data(chunk: Buffer): void;
  end(): void;
  fail(error: Error): void;
  /** Whether the inflater has enough to do, so that no more should be read from the network. */
  full(isFull: boolean): void;
}

export interface Inflater {
  write(chunk: Buffer): void;
  end(): void;
  destroy(): void;
}

/**
 * An inflater for a content coding (RFC 9110 8.4.1), although we ask for none; undefined when the body is plain. An
 * unknown or stacked coding fails at the first byte. Sizes are the business of the reader behind it: bytes come out in
 * small pieces, so that a small body that unfolds to gigabytes is stopped at the reader's limit.
 */
export function createInflater(coding: string, sink: InflaterSink): Inflater | undefined {
  const name = coding.trim().toLowerCase();
  if (name === "" || name === "identity") return undefined;
  const create = {
    gzip: createGunzip,
    "x-gzip": createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  }[name];
  if (create === undefined) return refusing(name, sink);
  const stream = create();
  stream.on("data", (chunk: Buffer) => sink.data(chunk));
  stream.on("end", () => sink.end());
  stream.on("error", (error) => sink.fail(error));
  stream.on("drain", () => sink.full(false));
  return {
    write: (chunk) => {
      if (!stream.write(chunk)) sink.full(true);
    },
    end: () => void stream.end(),
    destroy: () => void stream.destroy(),
  };
}

function refusing(name: string, sink: InflaterSink): Inflater {
  const refuse = (): void => sink.fail(new Error(`content coding ${name.slice(0, 40)} is not supported`));
  return { write: refuse, end: refuse, destroy: () => undefined };
}
