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

const comment = z.object({ author: z.string(), created_at: z.string(), text: z.string() });
const commentSchema = z.object({
  user: z.object({ login: z.string() }).nullable(),
  created_at: z.string(),
  body: z.string().nullish(),
});

const listIssues = defineTool({
  service: "github",
  name: "github_list_issues",
  title: "List issues",
  description: "Lists issues of a repository, last updated first. Pull requests are left out.",
  kind: "read",
  input: z.strictObject({
    repo: repoField,
    state: stateField,
    labels: z.array(z.string().min(1).max(100)).max(20).default([]).describe("Issues that have all of them"),
    limit: limitField(30, 100),
    cursor: cursorField,
  }),
  output: z.object({ issues: z.array(issueOutput), next_cursor: nextCursor }),
  run: async ({ repo, state, labels, limit, cursor }, client) => {
    const page = await githubPage(client, z.array(issueSchema), `${repoPath(repo)}/issues`, {
      state,
      sort: "updated",
      labels: labels.length === 0 ? undefined : labels.join(","),
      limit,
      cursor,
    });
    const issues = page.data.filter(({ pull_request }) => pull_request === undefined).map(issueOf);
    return { issues, ...next(page.cursor) };
  },
});

const readIssue = defineTool({
  service: "github",
  name: "github_read_issue",
  title: "Read an issue",
  description: "Returns an issue or pull request with its text and its comments, oldest first.",
  kind: "read",
  input: z.strictObject({
    repo: repoField,
    number: numberField,
    limit: limitField(30, 100),
    cursor: cursorField,
  }),
  output: issueOutput.extend({
    text: z.string(),
    truncated: z.boolean().optional(),
    comments: z.array(comment),
    next_cursor: nextCursor,
  }),
  run: async ({ repo, number, limit, cursor }, client) => {
    const address = `${repoPath(repo)}/issues/${number}`;
    const issue = await client.get(issueSchema, address);
    const page = await githubPage(client, z.array(commentSchema), `${address}/comments`, { limit, cursor });
    const comments = page.data.map(({ user, created_at, body }) => ({
      author: user?.login ?? "ghost",
      created_at,
      text: cutText(body ?? "").text,
    }));
    return { ...issueOf(issue), ...cutText(issue.body ?? ""), comments, ...next(page.cursor) };
  },
});

const made = z.object({ number: z.number(), html_url: z.string() });

const createIssue = defineTool({
  service: "github",
  name: "github_create_issue",
  title: "Create an issue",
  description: "Opens an issue. Everyone who can see the repository sees it, and watchers get mail.",
  kind: "write",
  input: z.strictObject({
    repo: repoField,
    title: z.string().min(1).max(256),
    text: z.string().max(65_536).default("").describe("Markdown"),
    labels: z.array(z.string().min(1).max(100)).max(20).optional(),
    assignees: z.array(z.string().min(1).max(100)).max(10).optional(),
  }),
  output: z.object({ number: z.number(), url: z.string() }),
  run: async ({ repo, title, text, labels, assignees }, client) => {
    const issue = { title, body: text, labels, assignees };
    const { number, html_url } = await client.post(made, `${repoPath(repo)}/issues`, issue);
    return { number, url: html_url };
  },
});

const commentIssue = defineTool({
  service: "github",
  name: "github_comment_issue",
  title: "Comment on an issue",
  description: "Adds a comment to an issue or pull request.",
  kind: "write",
  input: z.strictObject({
    repo: repoField,
    number: numberField,
    text: z.string().min(1).max(65_536).describe("Markdown"),
  }),
  output: z.object({ id: z.number(), url: z.string() }),
  run: async ({ repo, number, text }, client) => {
    const schema = z.object({ id: z.number(), html_url: z.string() });
    const posted = await client.post(schema, `${repoPath(repo)}/issues/${number}/comments`, { body: text });
    return { id: posted.id, url: posted.html_url };
  },
});

/** Tools about issues. */
export const githubIssueTools = [listIssues, readIssue, createIssue, commentIssue];
