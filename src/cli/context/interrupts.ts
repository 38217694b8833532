/** What the signals of a person or of the system ask for. */
export interface Interrupts {
  /** Fires at the first signal: end in good order. */
  readonly signal: AbortSignal;
  /** Called at every further signal: end at once. */
  onForce(listener: () => void): void;
  /** 128 + the number of the first signal; undefined while there was none. */
  exitCode(): number | undefined;
  close(): void;
}

interface SignalSource {
  on(event: NodeJS.Signals, listener: (name: NodeJS.Signals) => void): unknown;
  off(event: NodeJS.Signals, listener: (name: NodeJS.Signals) => void): unknown;
}

const numbers: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
const names: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Listens for SIGINT, SIGTERM and SIGHUP until closed. */
export function listenForInterrupts(source: SignalSource): Interrupts {
  const controller = new AbortController();
  const force = new Set<() => void>();
  let first: NodeJS.Signals | undefined;
  const heard = (name: NodeJS.Signals) => {
    if (first !== undefined) for (const listener of force) listener();
    first ??= name;
    controller.abort(name);
  };
  for (const name of names) source.on(name, heard);
  return {
    signal: controller.signal,
    onForce: (listener) => void force.add(listener),
    exitCode: () => (first === undefined ? undefined : 128 + (numbers[first] ?? 0)),
    close: () => names.forEach((name) => source.off(name, heard)),
  };
}
