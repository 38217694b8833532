/** What the signals of a person or of the system ask for. */
export interface Interrupts {
  /** Fires at the first signal: end in good order. */
  readonly signal: AbortSignal;
  /** Called at every further signal: end at once. */
  onForce(listener: () => void): void;
  /** 128 + the number of the first signal; undefined while there was none. */
  exitCode(): number | undefined;
  /** The exit code of a command that a signal has ended in good order: 0 where that is how it is meant to end. */
  graceful(isMeant: boolean): number | undefined;
  /** Nobody reads what is written: ends as a signal does, without a word. */
  leave(): void;
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
  let isForced = false;
  let isUnread = false;
  const heard = (name: NodeJS.Signals) => {
    isForced ||= first !== undefined;
    if (first !== undefined) for (const listener of force) listener();
    first ??= name;
    controller.abort(name);
  };
  const exitCode = () => (first === undefined ? (isUnread ? 0 : undefined) : 128 + (numbers[first] ?? 0));
  for (const name of names) source.on(name, heard);
  return {
    signal: controller.signal,
    onForce: (listener) => void force.add(listener),
    exitCode,
    graceful: (isMeant) => (isMeant && first === "SIGTERM" && !isForced ? 0 : exitCode()),
    leave() {
      isUnread = true;
      controller.abort("nobody reads");
    },
    close: () => names.forEach((name) => source.off(name, heard)),
  };
}
