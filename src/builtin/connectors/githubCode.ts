import * as z from "zod";
import { ServiceError } from "../contract/problem.js";
import { cursorField, cutText, limitField, next, nextCursor } from "../serve/fields.js";
import { defineTool } from "../serve/tool.js";
import { githubPage, repoField, repoPath } from "./githubFields.js";

const hit = z.object({ title: z.string(), url: z.string(), detail: z.string().optional() });

/** One search for three kinds; each item is brought to the same form. */
const itemSchema = z.object({
  html_url: z.string(),
  title: z.string().optional(),
  number: z.number().optional(),
  state: z.string().optional(),
  full_name: z.string().optional(),
  description: z.string().nullish(),
  path: z.string().optional(),
  repository: z.object({ full_name: z.string() }).optional(),
});

const search = defineTool({
  service: "github",
  name: "github_search",
  title: "Search GitHub",
  description:
    "Searches issues and pull requests, repositories or code with GitHub's search syntax (repo:owner/name, is:pr, author:, label:, language:).",
  kind: "read",
  input: z.strictObject({
    query: z.string().min(1).max(256),
    kind: z.enum(["issues", "repositories", "code"]).default("issues"),
    limit: limitField(20, 100),
    cursor: cursorField,
  }),
  output: z.object({ total: z.number(), items: z.array(hit), next_cursor: nextCursor }),
  run: async ({ query, kind, limit, cursor }, client) => {
    const schema = z.object({ total_count: z.number(), items: z.array(itemSchema) });
    const page = await githubPage(client, schema, `/search/${kind}`, { q: query, limit, cursor });
    return { total: page.data.total_count, items: page.data.items.map(hitOf), ...next(page.cursor) };
  },
});

const entry = z.object({ name: z.string(), type: z.string(), size: z.number() });
const fileSchema = z.object({
  type: z.literal("file"),
  size: z.number(),
  sha: z.string(),
  html_url: z.string().nullable(),
  encoding: z.string(),
  content: z.string(),
});

const readFile = defineTool({
  service: "github",
  name: "github_read_file",
  title: "Read a file",
  description: "Returns a text file of a repository, or the entries of a folder. Large files: ask for lines.",
  kind: "read",
  input: z.strictObject({
    repo: repoField,
    path: z.string().max(1000).default("").describe("Path in the repository; empty for the top folder"),
    ref: z.string().max(255).optional().describe("Branch, tag or commit; the default branch if left out"),
    start_line: z.int().min(1).default(1),
    end_line: z.int().min(1).optional(),
  }),
  output: z.object({
    text: z.string().optional(),
    truncated: z.boolean().optional(),
    lines: z.number().optional().describe("Lines of the whole file"),
    sha: z.string().optional(),
    url: z.string().optional(),
    entries: z.array(entry).optional().describe("Present for folders"),
  }),
  run: async ({ repo, path, ref, start_line, end_line }, client) => {
    const schema = z.union([z.array(entry), fileSchema, z.object({ type: z.string() })]);
    const content = await client.get(schema, `${repoPath(repo)}/contents/${filePath(path)}`, { ref });
    if (Array.isArray(content)) return { entries: content };
    if (!("content" in content))
      throw new ServiceError("invalid", `${path} is a ${content.type}, not a file or folder`);
    const lines = textOf(path, content).split("\n");
    const part = lines.slice(start_line - 1, end_line ?? lines.length).join("\n");
    const about = content.html_url === null ? {} : { url: content.html_url };
    return { ...cutText(part, 40_000), lines: lines.length, sha: content.sha, ...about };
  },
});

/** Tools about repositories and what is in them. */
export const githubCodeTools = [search, readFile];

function hitOf(item: z.infer<typeof itemSchema>): z.infer<typeof hit> {
  const { html_url: url, full_name, title, path, repository, number, state, description } = item;
  if (title !== undefined) return { title: `#${number ?? 0} ${title}`, url, ...(state && { detail: state }) };
  if (path !== undefined) return { title: `${repository?.full_name ?? ""}: ${path}`, url };
  return { title: full_name ?? url, url, ...(description && { detail: description }) };
}

function filePath(path: string): string {
  const parts = path.split("/").filter(Boolean);
  if (parts.some((part) => part === "." || part === ".."))
    throw new ServiceError("invalid", `path "${path}" must not go through . or ..`);
  return parts.map(encodeURIComponent).join("/");
}

function textOf(path: string, file: z.infer<typeof fileSchema>): string {
  // Above 1 MB the content is left out, and encoding says "none".
  if (file.encoding !== "base64")
    throw new ServiceError("too-large", `${path} has ${file.size} bytes; GitHub shows files up to 1 MB`);
  const bytes = Buffer.from(file.content, "base64");
  if (bytes.includes(0)) throw new ServiceError("invalid", `${path} is a binary file of ${file.size} bytes`);
  return bytes.toString("utf8");
}
