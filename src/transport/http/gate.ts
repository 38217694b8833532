/**
 * Holds back what must not overtake `notifications/initialized`: two POSTs may arrive in any order, so everything waits
 * until the notification is acknowledged (MCP 2025-11-25, Lifecycle).
 */
export class Gate {
  #isShut = false;
  #waiting: (() => void)[] = [];

  shut(): void {
    this.#isShut = true;
  }

  /** Lets everything through in the order it came. */
  open(): void {
    this.#isShut = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const job of waiting) this.pass(job);
  }

  /** Runs the job now or when the gate opens. */
  pass(job: () => void): void {
    if (this.#isShut) this.#waiting.push(job);
    else job();
  }
}
