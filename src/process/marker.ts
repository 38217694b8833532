/** Name of the variable by which everything a supervisor started can be recognised; inherited by all descendants. */
export const markerName = "MCPVISOR_RUN";

/** One life of one server of one supervisor run; holds no secrets. */
export interface Mark {
  readonly run: string;
  readonly server: string;
  readonly generation: number;
}

/** `<run>.<server>.<generation>`: the run is 32 hex digits, so a mark cannot be met by chance. */
export function markText(mark: Mark): string {
  return `${mark.run}.${mark.server}.${mark.generation}`;
}

/** The marker of a child: ours behind that of an outer supervisor, which must find our children too. */
export function appendMark(outer: string | undefined, mark: Mark): string {
  return outer === undefined || outer === "" ? markText(mark) : `${outer},${markText(mark)}`;
}

/** All marks in a marker value; parts that are none are left out. */
export function readMarks(value: string): readonly Mark[] {
  return value.split(",").flatMap((part) => {
    const match = /^([0-9a-f]{32})\.([\w-]{1,64})\.(\d{1,9})$/.exec(part);
    return match === null ? [] : [{ run: match[1]!, server: match[2]!, generation: Number(match[3]) }];
  });
}
