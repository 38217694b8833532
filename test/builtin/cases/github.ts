import type { ServiceCase } from "../support/case.js";

const repo = "octo/hello.world";
const at = `/repos/${repo}`;
const issue = {
  id: 1,
  number: 7,
  title: "It breaks",
  state: "open",
  html_url: `https://github.com/${repo}/issues/7`,
  user: { login: "ann", id: 3 },
  updated_at: "2026-01-02T03:04:05Z",
  body: "When I click",
  labels: [{ id: 9, name: "bug" }],
};
const shown = {
  number: 7,
  title: "It breaks",
  state: "open",
  author: "ann",
  labels: ["bug"],
  updated_at: "2026-01-02T03:04:05Z",
  url: `https://github.com/${repo}/issues/7`,
};
const pull = {
  ...issue,
  number: 8,
  title: "Fix it",
  draft: true,
  head: { ref: "fix" },
  base: { ref: "main" },
};
const shownPull = { ...shown, number: 8, title: "Fix it", draft: true, head: "fix", base: "main" };

export const github: ServiceCase = {
  id: "github",
  name: "GitHub",
  signed: ["authorization", "Bearer TOKEN"],
  expired: { status: 401, body: { message: "Bad credentials TOKEN", documentation_url: "https://docs" } },
  limited: {
    status: 403,
    headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "4102444800" },
    body: { message: "API rate limit exceeded" },
  },
  wait: "in ",
  tools: [
    {
      tool: "github_search",
      kind: "read",
      args: { query: "repo:octo/hello.world is:issue", limit: 1, cursor: "2" },
      routes: {
        "GET /search/issues": {
          headers: { link: '<https://api.github.com/search/issues?page=3>; rel="next"' },
          body: { total_count: 5, incomplete_results: false, items: [issue] },
        },
      },
      asks: { query: { q: "repo:octo/hello.world is:issue", per_page: "1", page: "2" } },
      result: {
        total: 5,
        items: [{ title: "#7 It breaks", url: `https://github.com/${repo}/issues/7`, detail: "open" }],
        next_cursor: "3",
      },
      bad: { args: { query: "x", kind: "people" }, says: "kind" },
    },
    {
      tool: "github_read_file",
      kind: "read",
      args: { repo, path: "src/a b.ts", ref: "main", start_line: 2, end_line: 3 },
      routes: {
        [`GET ${at}/contents/src/a%20b.ts`]: {
          body: {
            type: "file",
            size: 19,
            sha: "abc",
            html_url: "https://github.com/f",
            encoding: "base64",
            content: "b25lCnR3bwp0aHJl\nZQpmb3Vy\n",
          },
        },
      },
      asks: { query: { ref: "main" } },
      result: { text: "two\nthree", lines: 4, sha: "abc", url: "https://github.com/f" },
      bad: { args: { repo, path: "../../other/repo" }, says: "must not go through" },
    },
    {
      tool: "github_list_issues",
      kind: "read",
      args: { repo, labels: ["bug"] },
      routes: {
        [`GET ${at}/issues`]: { body: [issue, { ...issue, number: 8, pull_request: { url: "x" } }] },
      },
      asks: { query: { state: "open", sort: "updated", labels: "bug", per_page: "30", page: "1" } },
      result: { issues: [shown] },
      bad: { args: { repo: "octo" }, says: "repo" },
    },
    {
      tool: "github_read_issue",
      kind: "read",
      args: { repo, number: 7 },
      routes: {
        [`GET ${at}/issues/7`]: { body: issue },
        [`GET ${at}/issues/7/comments`]: {
          body: [{ user: null, created_at: "2026-01-03T00:00:00Z", body: "Same here" }],
        },
      },
      result: {
        ...shown,
        text: "When I click",
        comments: [{ author: "ghost", created_at: "2026-01-03T00:00:00Z", text: "Same here" }],
      },
      bad: { args: { repo, number: 0 }, says: "number" },
    },
    {
      tool: "github_create_issue",
      kind: "write",
      args: { repo, title: "It breaks", text: "When I click", labels: ["bug"] },
      routes: { [`POST ${at}/issues`]: { status: 201, body: issue } },
      asks: { json: { title: "It breaks", body: "When I click", labels: ["bug"] } },
      result: { number: 7, url: `https://github.com/${repo}/issues/7` },
      bad: { args: { repo, title: "" }, says: "title" },
    },
    {
      tool: "github_comment_issue",
      kind: "write",
      args: { repo, number: 7, text: "Fixed" },
      routes: {
        [`POST ${at}/issues/7/comments`]: { status: 201, body: { id: 55, html_url: "https://github.com/c" } },
      },
      asks: { json: { body: "Fixed" } },
      result: { id: 55, url: "https://github.com/c" },
      bad: { args: { repo, number: 7 }, says: "text" },
    },
    {
      tool: "github_list_pull_requests",
      kind: "read",
      args: { repo, state: "all" },
      routes: { [`GET ${at}/pulls`]: { body: [pull] } },
      asks: { query: { state: "all", sort: "updated", direction: "desc", per_page: "30", page: "1" } },
      result: { pull_requests: [shownPull] },
      bad: { args: { repo, state: "merged" }, says: "state" },
    },
    {
      tool: "github_read_pull_request",
      kind: "read",
      args: { repo, number: 8 },
      routes: {
        [`GET ${at}/pulls/8`]: { body: { ...pull, merged: false } },
        [`GET ${at}/pulls/8/files`]: {
          body: [{ filename: "a.ts", status: "modified", additions: 1, deletions: 2, patch: "@@ -1 +1 @@" }],
        },
      },
      result: {
        ...shownPull,
        text: "When I click",
        merged: false,
        files: [{ filename: "a.ts", status: "modified", additions: 1, deletions: 2, patch: "@@ -1 +1 @@" }],
      },
      bad: { args: { repo, number: "eight" }, says: "number" },
    },
  ],
};
