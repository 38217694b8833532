import type { Clock } from "../clock.js";
import { AuthError } from "./door/problem.js";

/** At most so many of a kind within a time. */
export class Budget {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #withinMs: number;
  readonly #uses = new Map<string, number[]>();

  constructor(clock: Clock, most: number, withinMs: number) {
    this.#clock = clock;
    this.#most = most;
    this.#withinMs = withinMs;
  }

  /** Takes one of what is left; false when nothing is. */
  take(name: string): boolean {
    const now = this.#clock.now();
    const recent = (this.#uses.get(name) ?? []).filter((at) => now - at < this.#withinMs);
    if (recent.length >= this.#most) return false;
    this.#uses.set(name, [...recent, now]);
    return true;
  }
}

/** Registrations at one issuer: 3 an hour. */
export function registrationBudget(clock: Clock): (issuer: string) => void {
  const budget = new Budget(clock, 3, 3600_000);
  return (issuer) => {
    if (!budget.take(issuer))
      throw new AuthError(
        "registration-refused",
        `${issuer}: three registrations within an hour are enough; try again later`,
      );
  };
}
