export interface Choice {
  readonly case: string;
  readonly check: string;
  readonly reason: string;
  /** Page and anchor of docs/, as `configuration.md#imports`. */
  readonly docs: string;
  /** It depends on chance whether the check is right: the program looks at one instant only. */
  readonly sometimes?: true;
}

export interface CaseRun {
  readonly file: string;
  readonly output: string;
  readonly code: number | undefined;
  readonly errors?: string;
}

export interface Verdict {
  readonly ok: number;
  readonly chosen: number;
  readonly problems: readonly string[];
  readonly skipped?: string;
}

export function judge(run: CaseRun, choices: readonly Choice[]): Verdict;
export function orphans(choices: readonly Choice[], files: readonly string[]): readonly string[];
