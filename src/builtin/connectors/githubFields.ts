import type { Client, Query, Reply } from "../contract/client.js";
import * as z from "zod";
import { one } from "../client/retry.js";
import { path } from "../client/url.js";

const repoSchema = z
  .string()
  .regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/, "owner/name")
  .describe("Repository as owner/name");

/** The repository field of every GitHub tool but search. */
export const repoField = repoSchema;
export const numberField = z.int().min(1).describe("Its number in the repository");
export const stateField = z.enum(["open", "closed", "all"]).default("open");

/** An issue or pull request as GitHub lists it. */
export const issueSchema = z.object({
  number: z.number(),
  title: z.string(),
  state: z.string(),
  html_url: z.string(),
  user: z.object({ login: z.string() }).nullable(),
  updated_at: z.string(),
  body: z.string().nullish(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])).default([]),
  pull_request: z.unknown().optional(),
});

export const issueOutput = z.object({
  number: z.number(),
  title: z.string(),
  state: z.string(),
  author: z.string(),
  labels: z.array(z.string()),
  updated_at: z.string(),
  url: z.string(),
});

/** The headline of an issue. */
export function issueOf(issue: z.infer<typeof issueSchema>): z.infer<typeof issueOutput> {
  return {
    number: issue.number,
    title: issue.title,
    state: issue.state,
    author: issue.user?.login ?? "ghost",
    labels: issue.labels.map((label) => (typeof label === "string" ? label : (label.name ?? ""))),
    updated_at: issue.updated_at,
    url: issue.html_url,
  };
}

/** The beginning of a repository's addresses. */
export function repoPath(repo: string): string {
  const [owner = "", name = ""] = repo.split("/");
  return path`/repos/${owner}/${name}`;
}

/** One page of a list; the cursor is the page's number, and the `Link` header tells whether there is another. */
export async function githubPage<S extends z.ZodType>(
  client: Client,
  schema: S,
  address: string,
  query: Query & { readonly limit: number; readonly cursor: string | undefined },
): Promise<{ data: z.infer<S>; cursor: string | undefined }> {
  const { limit, cursor, ...rest } = query;
  const page = /^\d{1,5}$/.test(cursor ?? "") ? Number(cursor) : 1;
  const ask = { ...rest, per_page: limit, page };
  const reply: Reply<z.infer<S>> = await client.request(schema, { method: "GET", path: address, query: ask });
  const more = /rel="next"/.test(one(reply.headers, "link") ?? "");
  return { data: reply.data, cursor: more ? String(page + 1) : undefined };
}
