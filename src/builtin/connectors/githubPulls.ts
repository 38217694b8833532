import * as z from "zod";
import { cursorField, cutText, limitField, next, nextCursor } from "../serve/fields.js";
import { defineTool } from "../serve/tool.js";
import {
  githubPage,
  issueOf,
  issueOutput,
  issueSchema,
  numberField,
  repoField,
  repoPath,
  stateField,
} from "./githubFields.js";

const branch = z.object({ ref: z.string() });
const pullSchema = issueSchema.extend({ draft: z.boolean().default(false), head: branch, base: branch });
const pullOutput = issueOutput.extend({ draft: z.boolean(), head: z.string(), base: z.string() });

const listPulls = defineTool({
  service: "github",
  name: "github_list_pull_requests",
  title: "List pull requests",
  description: "Lists pull requests of a repository, last updated first.",
  kind: "read",
  input: z.strictObject({
    repo: repoField,
    state: stateField,
    limit: limitField(30, 100),
    cursor: cursorField,
  }),
  output: z.object({ pull_requests: z.array(pullOutput), next_cursor: nextCursor }),
  run: async ({ repo, state, limit, cursor }, client) => {
    const query = { state, sort: "updated", direction: "desc", limit, cursor };
    const page = await githubPage(client, z.array(pullSchema), `${repoPath(repo)}/pulls`, query);
    return { pull_requests: page.data.map(pullOf), ...next(page.cursor) };
  },
});

const fileSchema = z.object({
  filename: z.string(),
  status: z.string(),
  additions: z.number(),
  deletions: z.number(),
  patch: z.string().optional(),
});

const readPull = defineTool({
  service: "github",
  name: "github_read_pull_request",
  title: "Read a pull request",
  description:
    "Returns a pull request with its text and its changed files with their patches. Comments: github_read_issue.",
  kind: "read",
  input: z.strictObject({
    repo: repoField,
    number: numberField,
    limit: limitField(30, 100).describe("Files per page"),
    cursor: cursorField,
  }),
  output: pullOutput.extend({
    text: z.string(),
    truncated: z.boolean().optional(),
    merged: z.boolean(),
    files: z.array(fileSchema.extend({ patch_truncated: z.boolean().optional() })),
    next_cursor: nextCursor,
  }),
  run: async ({ repo, number, limit, cursor }, client) => {
    const address = `${repoPath(repo)}/pulls/${number}`;
    const pull = await client.get(pullSchema.extend({ merged: z.boolean().default(false) }), address);
    const page = await githubPage(client, z.array(fileSchema), `${address}/files`, { limit, cursor });
    const files = page.data.map(({ patch, ...file }) => {
      if (patch === undefined) return file;
      const { text, truncated } = cutText(patch, 4_000);
      return { ...file, patch: text, ...(truncated && { patch_truncated: true }) };
    });
    return { ...pullOf(pull), ...cutText(pull.body ?? ""), merged: pull.merged, files, ...next(page.cursor) };
  },
});

/** Tools about pull requests. */
export const githubPullTools = [listPulls, readPull];

function pullOf(pull: z.infer<typeof pullSchema>): z.infer<typeof pullOutput> {
  return { ...issueOf(pull), draft: pull.draft, head: pull.head.ref, base: pull.base.ref };
}
