import type { JSONPath, ModificationOptions } from "jsonc-parser";
import { applyEdits, modify } from "jsonc-parser";

/** One change of a text: the value at a path, or its removal. */
export interface Change {
  readonly at: JSONPath;
  readonly value: unknown;
  readonly insert?: boolean;
}

/** A JSON text with these changes, in its own style: comments, order and white space of everything else stay. */
export function editJsonc(source: string, changes: readonly Change[]): string {
  const mark = source.startsWith("\uFEFF") ? "\uFEFF" : "";
  let text = source.slice(mark.length);
  for (const { at, value, insert } of changes) {
    const options: ModificationOptions = {
      formattingOptions: styleOf(text),
      isArrayInsertion: insert ?? false,
    };
    text = applyEdits(text, modify(text, at, value, options));
  }
  return mark + text;
}

function styleOf(text: string): NonNullable<ModificationOptions["formattingOptions"]> {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  const insertSpaces = !indent.startsWith("\t");
  return {
    insertSpaces,
    tabSize: insertSpaces ? indent.length : 1,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}
