/** One thing that was found, and what to do about it. A `note` needs nothing to be done. */
export interface Finding {
  readonly level: "error" | "warning" | "note";
  readonly about: string;
  readonly message: string;
  readonly todo: string;
}
