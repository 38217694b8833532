import type { ServiceCase } from "../support/case.js";
import type { Seen } from "../support/fake.js";

const issue = {
  id: "7c3f",
  identifier: "ENG-12",
  title: "It breaks",
  url: "https://linear.app/x/issue/ENG-12",
  priorityLabel: "High",
  updatedAt: "2026-01-02T03:04:05.000Z",
  state: { name: "Todo" },
  assignee: { name: "Ann" },
  team: { key: "ENG" },
  description: "When I click",
};
const shown = {
  identifier: "ENG-12",
  title: "It breaks",
  state: "Todo",
  priority: "High",
  assignee: "Ann",
  team: "ENG",
  updated_at: "2026-01-02T03:04:05.000Z",
  url: "https://linear.app/x/issue/ENG-12",
};
const variablesOf = ({ json }: Seen) => (json as { variables: Record<string, unknown> }).variables;

export const linear: ServiceCase = {
  id: "linear",
  name: "Linear",
  signed: ["authorization", "Bearer TOKEN"],
  expired: {
    status: 401,
    body: {
      errors: [{ message: "Authentication required TOKEN", extensions: { code: "AUTHENTICATION_ERROR" } }],
    },
  },
  limited: {
    status: 400,
    headers: { "retry-after": "60" },
    body: { errors: [{ message: "Rate limit exceeded", extensions: { code: "RATELIMITED" } }] },
  },
  wait: "in 60 s",
  tools: [
    {
      tool: "linear_search_issues",
      kind: "read",
      args: { query: "break", limit: 1 },
      routes: {
        "POST /graphql": (seen) => ({
          body: {
            data: {
              searchIssues: {
                nodes: [{ ...issue, title: `It breaks` }],
                pageInfo: { hasNextPage: variablesOf(seen)["first"] === 1, endCursor: "e1" },
              },
            },
          },
        }),
      },
      result: { issues: [shown], next_cursor: "e1" },
      bad: { args: { query: "x", limit: 51 }, says: "limit" },
    },
    {
      tool: "linear_read_issue",
      kind: "read",
      args: { issue: "ENG-12" },
      routes: {
        "POST /graphql": (seen) => ({
          body: {
            data: {
              issue: {
                ...issue,
                identifier: variablesOf(seen)["id"],
                comments: {
                  nodes: [{ body: "Same", createdAt: "2026-01-03T00:00:00.000Z", user: { name: "Bob" } }],
                  pageInfo: { hasNextPage: false, endCursor: "e9" },
                },
              },
            },
          },
        }),
      },
      result: {
        ...shown,
        text: "When I click",
        comments: [{ author: "Bob", created_at: "2026-01-03T00:00:00.000Z", text: "Same" }],
      },
      bad: { args: { issue: "the first one" }, says: "issue" },
    },
    {
      tool: "linear_create_issue",
      kind: "write",
      args: { team: "eng", title: "It breaks", priority: 2 },
      routes: {
        "POST /graphql": (seen) =>
          (seen.json as { query: string }).query.startsWith("query")
            ? { body: { data: { teams: { nodes: [{ id: "team-uuid" }] } } } }
            : {
                body: {
                  data: {
                    issueCreate: {
                      issue: {
                        identifier: "ENG-13",
                        url: `https://linear.app/${JSON.stringify(variablesOf(seen)["input"])}`,
                      },
                    },
                  },
                },
              },
      },
      result: {
        identifier: "ENG-13",
        url: 'https://linear.app/{"teamId":"team-uuid","title":"It breaks","description":"","priority":2}',
      },
      bad: { args: { team: "eng", title: "x", priority: 9 }, says: "priority" },
    },
    {
      tool: "linear_comment_issue",
      kind: "write",
      args: { issue: "ENG-12", text: "Fixed" },
      routes: {
        "POST /graphql": (seen) => ({
          body: {
            data: {
              commentCreate: {
                comment: { url: `https://linear.app/${JSON.stringify(variablesOf(seen)["input"])}` },
              },
            },
          },
        }),
      },
      result: { url: 'https://linear.app/{"issueId":"ENG-12","body":"Fixed"}' },
      bad: { args: { issue: "ENG-12", text: "" }, says: "text" },
    },
  ],
};
