/** A file of the state folder that several processes change. */
export interface Store {
  readonly name: string;
  /** Modules of src/ that write it. */
  readonly modules: readonly string[];
  /** What can be kept in it; any name, when left out. */
  readonly things?: readonly string[];
  /** How many things it holds at most. */
  readonly most?: number;
  /** What one writer keeps things with. */
  keeper(home: string): Promise<(thing: string) => Promise<unknown>>;
  read(home: string): Promise<string[]>;
}

/** A file that is made once by whoever comes first. */
export interface FirstCome {
  readonly name: string;
  readonly modules: readonly string[];
  take(home: string): Promise<string>;
}

export const stores: readonly Store[];
export const firstComes: readonly FirstCome[];
