import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";

/** The folder of the project. */
export const root = resolve(import.meta.dirname, "../..");

/**
 * One fenced block of a page. js and ts run as they stand unless they are excerpts; of sh each command is read by the
 * command line, and the whole of it runs where the fence says `run` after the language.
 */
export interface Block {
  /** `docs/cli.md` */
  readonly page: string;
  /** `docs/cli.md:77`, the line of its fence. */
  readonly place: string;
  readonly language: string;
  /** Marked as a part of something: the fence says `excerpt` after the language. */
  readonly excerpt: boolean;
  /** The fence says `run`. */
  readonly run: boolean;
  /** The fence says `output`: what the block before it prints, to the letter. */
  readonly output: boolean;
  readonly text: string;
}

/** A piece of code within a line of a page. */
export interface Span {
  readonly place: string;
  readonly text: string;
}

/** Every page that people write, by its path; the reference is made from the source. */
export const pages: ReadonlyMap<string, string> = new Map(
  [...filesIn("docs"), ...filesIn("examples"), ...filesIn("src"), ...filesIn("."), ...filesIn("bench", false)]
    .filter((path) => path.endsWith(".md") && !/^docs\/(?:reference|site)\//.test(path))
    .map((path) => [path, readFileSync(join(root, path), "utf8")]),
);

export const blocks: readonly Block[] = [...pages].flatMap(([path, text]) =>
  [...text.matchAll(/^ *```(\w*)([^\n]*)\n([\s\S]*?)^ *```/gm)].map(([, language, rest, body], index) => ({
    page: path,
    place: `${path}:${lineOf(text, index)}`,
    language: language!,
    excerpt: /\bexcerpt\b/.test(rest!),
    run: /\brun\b/.test(rest!),
    output: /\boutput\b/.test(rest!),
    text: body!,
  })),
);

export const spans: readonly Span[] = [...pages].flatMap(([path, text]) => {
  const prose = text.replaceAll(/^ *```[\s\S]*?^ *```/gm, (block) => block.replaceAll(/[^\n]/g, " "));
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(({ 1: span, index }) => ({
    place: `${path}:${prose.slice(0, index).split("\n").length}`,
    text: span!.replaceAll(String.raw`\|`, "|"),
  }));
});

/** The line of the fence that opens the block of this number. */
function lineOf(text: string, index: number): number {
  const fences = text.split("\n").flatMap((line, at) => (/^ *```/.test(line) ? [at + 1] : []));
  return fences[index * 2] ?? 0;
}

function filesIn(folder: string, deep = folder !== "."): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: deep })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !path.includes("node_modules/"));
}
