import type { Client, Query } from "../contract/client.js";
import * as z from "zod";
import { ServiceError } from "../contract/problem.js";
import { path, urlOf } from "../client/url.js";
import { cursorField, cutText, limitField, next, nextCursor } from "../serve/fields.js";
import { defineTool } from "../serve/tool.js";

const projectField = z
  .string()
  .regex(/^[\w.-]{1,100}$/, "a project's name or id")
  .describe("Project name or id");
const idField = z.string().regex(/^[\w.-]{1,200}$/, "a deployment id (dpl_…) or its host name");
const pagination = z.object({ next: z.union([z.number(), z.string()]).nullish() });
const project = z.object({ id: z.string(), name: z.string(), framework: z.string().nullish() });

const listProjects = defineTool({
  service: "vercel",
  name: "vercel_list_projects",
  title: "List projects",
  description: "Lists the projects of the account or its team.",
  kind: "read",
  input: z.strictObject({
    search: z.string().max(100).optional().describe("Part of the name"),
    limit: limitField(20, 100),
    cursor: cursorField,
  }),
  output: z.object({
    projects: z.array(z.object({ id: z.string(), name: z.string(), framework: z.string().optional() })),
    next_cursor: nextCursor,
  }),
  run: async ({ search, limit, cursor }, client) => {
    const schema = z.object({ projects: z.array(project), pagination });
    const page = await client.get(
      schema,
      "/v10/projects",
      await inTeam(client, { search, limit, from: cursor }),
    );
    const projects = page.projects.map(({ id, name, framework }) => ({
      id,
      name,
      ...(framework && { framework }),
    }));
    return { projects, ...next(cursorOf(page.pagination)) };
  },
});

const deploymentSchema = z.object({
  uid: z.string(),
  name: z.string(),
  url: z.string().nullish(),
  state: z.string().optional(),
  readyState: z.string().optional(),
  target: z.string().nullish(),
  created: z.number(),
});

const listDeployments = defineTool({
  service: "vercel",
  name: "vercel_list_deployments",
  title: "List deployments",
  description: "Lists deployments, newest first.",
  kind: "read",
  input: z.strictObject({
    project: projectField.optional(),
    target: z.enum(["production", "preview"]).optional(),
    limit: limitField(20, 100),
    cursor: cursorField,
  }),
  output: z.object({
    deployments: z.array(
      z.object({
        id: z.string(),
        project: z.string(),
        state: z.string(),
        target: z.string(),
        created_at: z.string(),
        url: z.string(),
      }),
    ),
    next_cursor: nextCursor,
  }),
  run: async ({ project: name, target, limit, cursor }, client) => {
    const schema = z.object({ deployments: z.array(deploymentSchema), pagination });
    const query = await inTeam(client, { app: undefined, projectId: name, target, limit, until: cursor });
    const page = await client.get(schema, "/v6/deployments", query);
    const deployments = page.deployments.map((each) => ({
      id: each.uid,
      project: each.name,
      state: each.state ?? each.readyState ?? "",
      target: each.target ?? "preview",
      created_at: new Date(each.created).toISOString(),
      url: each.url ? `https://${each.url}` : "",
    }));
    return { deployments, ...next(cursorOf(page.pagination)) };
  },
});

const eventSchema = z.object({
  type: z.string(),
  created: z.number().optional(),
  text: z.string().optional(),
  payload: z.object({ text: z.string().optional(), date: z.number().optional() }).optional(),
});

const readLogs = defineTool({
  service: "vercel",
  name: "vercel_read_logs",
  title: "Read build logs",
  description: "Returns the newest lines of a deployment's build log, oldest of them first.",
  kind: "read",
  input: z.strictObject({
    deployment: idField.describe("Deployment id or host name"),
    limit: limitField(100, 500),
  }),
  output: z.object({ lines: z.array(z.object({ at: z.string(), type: z.string(), text: z.string() })) }),
  run: async ({ deployment, limit }, client) => {
    const query = await inTeam(client, { direction: "backward", builds: 1, limit });
    const events = await client.get(z.array(eventSchema), path`/v3/deployments/${deployment}/events`, query);
    const lines = events.map(({ type, created, text, payload }) => ({
      at: new Date(created ?? payload?.date ?? 0).toISOString(),
      type,
      text: cutText(text ?? payload?.text ?? "", 2_000).text,
    }));
    return { lines: lines.toReversed() };
  },
});

const linkSchema = z.object({
  name: z.string(),
  link: z
    .object({
      type: z.string(),
      repoId: z.union([z.number(), z.string()]).optional(),
      projectId: z.union([z.number(), z.string()]).optional(),
      productionBranch: z.string().optional(),
    })
    .nullish(),
});

const deploy = defineTool({
  service: "vercel",
  name: "vercel_deploy",
  title: "Deploy a project",
  description:
    "Builds and publishes a project from its connected GitHub or GitLab repository, or deploys an earlier deployment again. A production deployment goes live.",
  kind: "write",
  input: z.strictObject({
    project: projectField,
    target: z.enum(["production", "preview"]).default("preview"),
    ref: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe("Branch or commit; the production branch if left out"),
    redeploy: idField.optional().describe("Id of an earlier deployment to deploy again, instead of ref"),
  }),
  output: z.object({ id: z.string(), url: z.string(), state: z.string() }),
  run: async ({ project: name, target, ref, redeploy }, client) => {
    const team = await inTeam(client, {});
    const linked = await client.get(linkSchema, path`/v9/projects/${name}`, team);
    const source =
      redeploy === undefined ? { gitSource: gitSource(linked, ref) } : { deploymentId: redeploy };
    // A preview is what Vercel makes when no target is named.
    const body = { name: linked.name, project: name, ...source, ...(target === "production" && { target }) };
    const schema = z.object({ id: z.string(), url: z.string(), readyState: z.string().default("QUEUED") });
    const made = await client.post(schema, urlOf("", "/v13/deployments", team), body);
    return { id: made.id, url: `https://${made.url}`, state: made.readyState };
  },
});

/** The tools of Vercel. */
export const vercelTools = [listProjects, listDeployments, readLogs, deploy];

async function inTeam(client: Client, query: Query): Promise<Query> {
  const team = (await client.account()).fields?.["team"];
  return team === undefined || team === "" ? query : { ...query, teamId: team };
}

function cursorOf({ next: at }: z.infer<typeof pagination>): string | undefined {
  return at === undefined || at === null ? undefined : String(at);
}

function gitSource(
  { name, link }: z.infer<typeof linkSchema>,
  ref: string | undefined,
): Record<string, unknown> {
  const branch = ref ?? link?.productionBranch ?? "main";
  if (link?.type === "github" && link.repoId !== undefined)
    return { type: "github", repoId: link.repoId, ref: branch };
  if (link?.type === "gitlab" && link.projectId !== undefined)
    return { type: "gitlab", projectId: link.projectId, ref: branch };
  throw new ServiceError(
    "invalid",
    `the project ${name} has no connected GitHub or GitLab repository; pass redeploy with an earlier deployment's id. Nothing was done.`,
  );
}
