import * as z from "zod";

const richText = z.array(z.object({ plain_text: z.string() })).default([]);
const kind = z
  .object({
    rich_text: richText,
    checked: z.boolean().optional(),
    language: z.string().optional(),
    title: z.string().optional(),
    url: z.string().optional(),
  })
  .loose();

/** A block as Notion lists it; its content lies under a key named like its type. */
export const blockSchema = z.looseObject({
  id: z.string(),
  type: z.string(),
  has_children: z.boolean().default(false),
});
export type Block = z.infer<typeof blockSchema>;

/** One block as a line of Markdown; kinds without text are named in brackets. */
export function markdownOf(block: Block): string {
  const content = kind.safeParse(block[block.type]).data;
  const text = plain(content?.rich_text ?? []);
  switch (block.type) {
    case "paragraph":
      return text;
    case "heading_1":
      return `# ${text}`;
    case "heading_2":
      return `## ${text}`;
    case "heading_3":
      return `### ${text}`;
    case "bulleted_list_item":
    case "toggle":
      return `- ${text}`;
    case "numbered_list_item":
      return `1. ${text}`;
    case "to_do":
      return `- [${content?.checked ? "x" : " "}] ${text}`;
    case "quote":
    case "callout":
      return `> ${text}`;
    case "code":
      return `\`\`\`${content?.language ?? ""}\n${text}\n\`\`\``;
    case "divider":
      return "---";
    default:
      return `[${[block.type, content?.title ?? content?.url ?? text].filter(Boolean).join(": ")}]`;
  }
}

/** The text of rich text without its dress. */
export function plain(parts: readonly { plain_text: string }[]): string {
  return parts.map(({ plain_text }) => plain_text).join("");
}

const prefixes: readonly (readonly [RegExp, string])[] = [
  [/^### /, "heading_3"],
  [/^## /, "heading_2"],
  [/^# /, "heading_1"],
  [/^- \[[ xX]\] /, "to_do"],
  [/^[-*] /, "bulleted_list_item"],
  [/^\d{1,3}\. /, "numbered_list_item"],
  [/^> /, "quote"],
];

/** Markdown lines as Notion blocks: headings, lists, to-dos, quotes, code fences; anything else is a paragraph. */
export function blocksOf(markdown: string): Record<string, unknown>[] {
  const blocks: Record<string, unknown>[] = [];
  const lines = markdown.split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const fence = /^```(\S*)/.exec(line);
    if (fence !== null) {
      const end = lines.findIndex((each, index) => index > at && each.startsWith("```"));
      const stop = end < 0 ? lines.length : end;
      blocks.push(blockOf("code", lines.slice(at + 1, stop).join("\n"), { language: languageOf(fence[1]) }));
      at = stop;
    } else if (line.trim() === "---") blocks.push({ object: "block", type: "divider", divider: {} });
    else if (line.trim() !== "") blocks.push(blockOfLine(line));
  }
  return blocks;
}

function blockOfLine(line: string): Record<string, unknown> {
  const [prefix, type] = prefixes.find(([pattern]) => pattern.test(line)) ?? [/^/, "paragraph"];
  const extra = type === "to_do" ? { checked: /^- \[[xX]\]/.test(line) } : {};
  return blockOf(type, line.replace(prefix, ""), extra);
}

function blockOf(type: string, text: string, extra: Record<string, unknown>): Record<string, unknown> {
  return { object: "block", type, [type]: { rich_text: richTextOf(text), ...extra } };
}

/** Notion takes 2000 characters per piece. */
export function richTextOf(text: string): { type: "text"; text: { content: string } }[] {
  const pieces = text.match(/[^]{1,1900}(?![\uDC00-\uDFFF])/g) ?? [];
  return pieces.map((content) => ({ type: "text", text: { content } }));
}

const languages = new Set(
  "bash c c++ css diff docker go graphql html java javascript json kotlin markdown php python ruby rust shell sql swift typescript xml yaml".split(
    " ",
  ),
);
const shortNames: Readonly<Record<string, string>> = {
  js: "javascript",
  ts: "typescript",
  py: "python",
  sh: "shell",
};

/** Notion refuses languages it does not know. */
function languageOf(name = ""): string {
  const full = shortNames[name] ?? name;
  return languages.has(full) ? full : "plain text";
}
