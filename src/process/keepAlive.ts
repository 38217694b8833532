import { MessageChannel, type MessagePort } from "node:worker_threads";

/**
 * Keeps this process alive until the returned function is called: the clock's timers do not, and a stop that
 * waits for a grandchild must not be cut off because nothing else is left to do.
 */
export function keepAlive(): () => void {
  const { port1 } = new MessageChannel();
  port1.ref();
  return () => port1.close();
}

/** Keeps this process alive as long as `hold` was called more often than `release`. */
export interface KeepAlive {
  hold(): void;
  release(): void;
}

/** The same as `keepAlive` for many reasons at once. */
export function createKeepAlive(): KeepAlive {
  let count = 0;
  let port: MessagePort | undefined;
  return {
    hold() {
      count += 1;
      // One port for good: making one costs far more than the calls that come and go here.
      port ??= new MessageChannel().port1;
      if (count === 1) port.ref();
    },
    release() {
      count -= 1;
      if (count === 0) port?.unref();
    },
  };
}
