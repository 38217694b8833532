import type { Client } from "../contract/client.js";
import * as z from "zod";
import { ServiceError } from "../contract/problem.js";
import { cursorField, cutText, limitField, next, nextCursor } from "../serve/fields.js";
import { defineTool } from "../serve/tool.js";

const ISSUE =
  "id identifier title url priorityLabel updatedAt state { name } assignee { name } team { key } description";

const issueField = z
  .string()
  .regex(/^[A-Za-z][\w]{0,9}-\d{1,7}$|^[0-9a-f-]{36}$/i, "an identifier such as ENG-123");
const named = z.object({ name: z.string() }).nullish();
const issueSchema = z.object({
  id: z.string(),
  identifier: z.string(),
  title: z.string(),
  url: z.string(),
  priorityLabel: z.string(),
  updatedAt: z.string(),
  state: named,
  assignee: named,
  team: z.object({ key: z.string() }).nullish(),
  description: z.string().nullish(),
});
const issueOutput = z.object({
  identifier: z.string(),
  title: z.string(),
  state: z.string(),
  priority: z.string(),
  assignee: z.string().optional(),
  team: z.string(),
  updated_at: z.string(),
  url: z.string(),
});
const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });

const searchIssues = defineTool({
  service: "linear",
  name: "linear_search_issues",
  title: "Search issues",
  description: "Finds issues by words in title, description and comments.",
  kind: "read",
  input: z.strictObject({
    query: z.string().min(1).max(500),
    limit: limitField(20, 50),
    cursor: cursorField,
  }),
  output: z.object({ issues: z.array(issueOutput), next_cursor: nextCursor }),
  run: async ({ query, limit, cursor }, client) => {
    const schema = z.object({ searchIssues: z.object({ nodes: z.array(issueSchema), pageInfo }) });
    const document = `query Search($term: String!, $first: Int!, $after: String) {
  searchIssues(term: $term, first: $first, after: $after, includeComments: true) {
    nodes { ${ISSUE} } pageInfo { hasNextPage endCursor }
  }
}`;
    const data = await graphql(client, schema, document, { term: query, first: limit, after: cursor });
    const { nodes, pageInfo: info } = data.searchIssues;
    return { issues: nodes.map(issueOf), ...next(info.hasNextPage ? info.endCursor : undefined) };
  },
});

const commentSchema = z.object({ body: z.string(), createdAt: z.string(), user: named });

const readIssue = defineTool({
  service: "linear",
  name: "linear_read_issue",
  title: "Read an issue",
  description: "Returns an issue with its description and comments.",
  kind: "read",
  input: z.strictObject({
    issue: issueField.describe("Identifier such as ENG-123"),
    limit: limitField(30, 100).describe("Comments per page"),
    cursor: cursorField,
  }),
  output: issueOutput.extend({
    text: z.string(),
    truncated: z.boolean().optional(),
    comments: z.array(z.object({ author: z.string(), created_at: z.string(), text: z.string() })),
    next_cursor: nextCursor,
  }),
  run: async ({ issue, limit, cursor }, client) => {
    const comments = z.object({ nodes: z.array(commentSchema), pageInfo });
    const schema = z.object({ issue: issueSchema.extend({ comments }).nullish() });
    const document = `query Issue($id: String!, $first: Int!, $after: String) {
  issue(id: $id) {
    ${ISSUE}
    comments(first: $first, after: $after) {
      nodes { body createdAt user { name } } pageInfo { hasNextPage endCursor }
    }
  }
}`;
    const data = await graphql(client, schema, document, { id: issue, first: limit, after: cursor });
    if (data.issue === undefined || data.issue === null) throw missing(issue);
    const { nodes, pageInfo: info } = data.issue.comments;
    return {
      ...issueOf(data.issue),
      ...cutText(data.issue.description ?? ""),
      comments: nodes.map(({ body, createdAt, user }) => ({
        author: user?.name ?? "",
        created_at: createdAt,
        text: cutText(body).text,
      })),
      ...next(info.hasNextPage ? info.endCursor : undefined),
    };
  },
});

const createIssue = defineTool({
  service: "linear",
  name: "linear_create_issue",
  title: "Create an issue",
  description: "Opens an issue in a team.",
  kind: "write",
  input: z.strictObject({
    team: z.string().min(1).max(20).describe("Key of the team, the letters before the number: ENG"),
    title: z.string().min(1).max(500),
    text: z.string().max(50_000).default("").describe("Markdown"),
    priority: z.int().min(0).max(4).optional().describe("0 none, 1 urgent, 2 high, 3 medium, 4 low"),
  }),
  output: z.object({ identifier: z.string(), url: z.string() }),
  run: async ({ team, title, text, priority }, client) => {
    const input = { teamId: await teamId(client, team), title, description: text, priority };
    const made = z.object({ identifier: z.string(), url: z.string() });
    const schema = z.object({ issueCreate: z.object({ issue: made.nullish() }) });
    const document = `mutation Create($input: IssueCreateInput!) {
  issueCreate(input: $input) { issue { identifier url } }
}`;
    const { issueCreate } = await graphql(client, schema, document, { input });
    return issueCreate.issue ?? notDone();
  },
});

const commentIssue = defineTool({
  service: "linear",
  name: "linear_comment_issue",
  title: "Comment on an issue",
  description: "Adds a comment to an issue.",
  kind: "write",
  input: z.strictObject({
    issue: issueField.describe("Identifier such as ENG-123"),
    text: z.string().min(1).max(50_000).describe("Markdown"),
  }),
  output: z.object({ url: z.string() }),
  run: async ({ issue, text }, client) => {
    const schema = z.object({
      commentCreate: z.object({ comment: z.object({ url: z.string() }).nullish() }),
    });
    const document = `mutation Comment($input: CommentCreateInput!) {
  commentCreate(input: $input) { comment { url } }
}`;
    const { commentCreate } = await graphql(client, schema, document, {
      input: { issueId: issue, body: text },
    });
    return commentCreate.comment ?? notDone();
  },
});

/** The tools of Linear. */
export const linearTools = [searchIssues, readIssue, createIssue, commentIssue];

async function graphql<S extends z.ZodType>(
  client: Client,
  schema: S,
  document: string,
  variables: Record<string, unknown>,
): Promise<z.infer<S>> {
  const { data } = await client.request(z.object({ data: schema }), {
    method: "POST",
    path: "/graphql",
    json: { query: document, variables },
    safe: document.startsWith("query"),
  });
  return (data as { data: z.infer<S> }).data;
}

async function teamId(client: Client, key: string): Promise<string> {
  const schema = z.object({ teams: z.object({ nodes: z.array(z.object({ id: z.string() })) }) });
  const document = `query Team($key: String!) {
  teams(filter: { key: { eqIgnoreCase: $key } }, first: 1) { nodes { id } }
}`;
  const { teams } = await graphql(client, schema, document, { key });
  const [team] = teams.nodes;
  if (team === undefined)
    throw new ServiceError("not-found", `Linear has no team with the key "${key}". Nothing was done.`);
  return team.id;
}

function issueOf(issue: z.infer<typeof issueSchema>): z.infer<typeof issueOutput> {
  return {
    identifier: issue.identifier,
    title: issue.title,
    state: issue.state?.name ?? "",
    priority: issue.priorityLabel,
    ...(issue.assignee && { assignee: issue.assignee.name }),
    team: issue.team?.key ?? "",
    updated_at: issue.updatedAt,
    url: issue.url,
  };
}

function missing(issue: string): ServiceError {
  return new ServiceError("not-found", `Linear has no issue ${issue}, or the account may not see it.`);
}

function notDone(): never {
  throw new ServiceError(
    "unexpected",
    "Linear took the request but reports no result: look before trying again.",
  );
}
