import type { ServiceCase } from "../support/case.js";

export const vercel: ServiceCase = {
  id: "vercel",
  name: "Vercel",
  signed: ["authorization", "Bearer TOKEN"],
  expired: {
    status: 403,
    body: { error: { code: "forbidden", message: "Not authorized TOKEN", invalidToken: true } },
  },
  limited: {
    status: 429,
    headers: { "retry-after": "60" },
    body: { error: { code: "rate_limited", message: "Too many requests" } },
  },
  wait: "in 60 s",
  tools: [
    {
      tool: "vercel_list_projects",
      kind: "read",
      args: { search: "sh", limit: 1, cursor: "1700" },
      routes: {
        "GET /v10/projects": {
          body: {
            projects: [{ id: "prj_1", name: "shop", framework: "nextjs", updatedAt: 1 }],
            pagination: { count: 1, next: 1600, prev: 1800 },
          },
        },
      },
      asks: { query: { search: "sh", limit: "1", from: "1700", teamId: "team_1" } },
      result: { projects: [{ id: "prj_1", name: "shop", framework: "nextjs" }], next_cursor: "1600" },
      bad: { args: { limit: 1.5 }, says: "limit" },
    },
    {
      tool: "vercel_list_deployments",
      kind: "read",
      args: { project: "shop", target: "production" },
      routes: {
        "GET /v6/deployments": {
          body: {
            deployments: [
              {
                uid: "dpl_1",
                name: "shop",
                url: "shop-1.vercel.app",
                created: 1722870000000,
                state: "READY",
                target: "production",
              },
            ],
            pagination: { count: 1, next: null, prev: 1 },
          },
        },
      },
      asks: { query: { projectId: "shop", target: "production", limit: "20", teamId: "team_1" } },
      result: {
        deployments: [
          {
            id: "dpl_1",
            project: "shop",
            state: "READY",
            target: "production",
            created_at: "2024-08-05T15:00:00.000Z",
            url: "https://shop-1.vercel.app",
          },
        ],
      },
      bad: { args: { project: "a/b" }, says: "project" },
    },
    {
      tool: "vercel_read_logs",
      kind: "read",
      args: { deployment: "dpl_1", limit: 2 },
      routes: {
        "GET /v3/deployments/dpl_1/events": {
          body: [
            { type: "stdout", created: 1722870001000, payload: { text: "Done" } },
            { type: "stderr", created: 1722870000000, text: "Warning" },
          ],
        },
      },
      asks: { query: { direction: "backward", builds: "1", limit: "2", teamId: "team_1" } },
      result: {
        lines: [
          { at: "2024-08-05T15:00:00.000Z", type: "stderr", text: "Warning" },
          { at: "2024-08-05T15:00:01.000Z", type: "stdout", text: "Done" },
        ],
      },
      bad: { args: { deployment: "../v9/projects" }, says: "deployment" },
    },
    {
      tool: "vercel_deploy",
      kind: "write",
      args: { project: "shop", target: "production", ref: "release" },
      routes: {
        "GET /v9/projects/shop": {
          body: { id: "prj_1", name: "shop", link: { type: "github", repoId: 77, productionBranch: "main" } },
        },
        "POST /v13/deployments": { body: { id: "dpl_2", url: "shop-2.vercel.app", readyState: "QUEUED" } },
      },
      asks: {
        query: { teamId: "team_1" },
        json: {
          name: "shop",
          project: "shop",
          gitSource: { type: "github", repoId: 77, ref: "release" },
          target: "production",
        },
      },
      result: { id: "dpl_2", url: "https://shop-2.vercel.app", state: "QUEUED" },
      bad: { args: { project: "shop", target: "staging" }, says: "target" },
    },
  ],
};
