import { z } from "@hono/zod-openapi";
import type { ConfigError, ConfigProblem, ServerHandle, ServerStatus, Supervisor } from "../../index.js";
import { ProblemError } from "../guard/problem.js";
import { serverStatus } from "./schemas.js";

export const tag = "servers";
export const params = z.object({ id: z.string() });
export const status = { description: "Its status", schema: serverStatus };
export const missing = { description: "No such server", problem: "server-not-found" } as const;

/** The server of that id; throws the problem `server-not-found`. */
export function find(supervisor: Supervisor, id: string): ServerHandle {
  const server = supervisor.server(id);
  if (server === undefined) throw notFound(id);
  return server;
}

/** The version of its entry as a strong entity tag. */
export function etagOf(server: ServerHandle): string {
  return `"${server.version()}"`;
}

/** It could not be connected: throws the problem that says why. */
export function failed({ id, state, cause, lastError, nextAttemptAt }: ServerStatus): never {
  if (state === "disabled") throw new ProblemError(disabledProblem(id));
  const why = lastError ?? cause;
  throw new ProblemError({
    status: 502,
    slug: "connect-failed",
    title: `Server "${id}" is not connected`,
    detail: why.message,
    more: { state, cause: why, ...(nextAttemptAt === undefined ? {} : { nextAttemptAt }) },
  });
}

/** It serves, but not in the new life that was asked for. */
export function notReplaced({ id, state, cause, lastError }: ServerStatus): never {
  const why = lastError ?? cause;
  throw new ProblemError({
    status: 502,
    slug: "restart-failed",
    title: `Server "${id}" goes on in its old life`,
    detail: why.message,
    more: { state, cause: why },
  });
}

/** It has to be enabled first. */
export function disabled({ id }: ServerStatus): ProblemError {
  return new ProblemError(disabledProblem(id));
}

function disabledProblem(id: string): ProblemError["problem"] {
  return {
    status: 409,
    slug: "server-disabled",
    title: `Server "${id}" is disabled`,
    detail: "Enable it first.",
  };
}

/** There is no such server. */
export function notFound(id: string): ProblemError {
  return new ProblemError({ status: 404, slug: "server-not-found", title: `There is no server "${id}"` });
}

/** The entry is refused; `errors` say where and why. */
export function invalidConfig(error: ConfigError): ProblemError {
  return new ProblemError({
    status: 422,
    slug: "invalid-config",
    title: "The entry makes no sense",
    detail: error.message,
    errors: error.problems.map((problem) => ({ pointer: pointerOf(problem), detail: sentence(problem) })),
  });
}

function pointerOf({ path }: ConfigProblem): string {
  return path === undefined ? "" : `/${path.split(".").join("/")}`;
}

function sentence({ message, hint }: ConfigProblem): string {
  return hint === undefined ? message : `${message} ${hint}`;
}
