import { MessageChannel } from "node:worker_threads";

/**
 * Keeps this process alive until the returned function is called: the clock's timers do not, and a stop that
 * waits for a grandchild must not be cut off because nothing else is left to do.
 */
export function keepAlive(): () => void {
  const { port1 } = new MessageChannel();
  port1.ref();
  return () => port1.close();
}
