/** One problem as RFC 9457 has it; `slug` is the stable last part of `type`. */
export interface Problem {
  readonly status: number;
  readonly slug: ProblemSlug;
  readonly title: string;
  readonly detail?: string;
  /** Where in the request it is wrong: a JSON pointer and a sentence each. */
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  /** More members, such as the cause of a failed connection. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Every kind of problem the API answers with; the list is part of the public contract. */
export const problemSlugs = [
  "host-not-allowed",
  "origin-not-allowed",
  "unauthorized",
  "forbidden",
  "login-code-invalid",
  "not-found",
  "json-required",
  "body-too-large",
  "body-too-slow",
  "invalid-json",
  "invalid-request",
  "invalid-config",
  "server-not-found",
  "entry-changed",
  "id-differs",
  "server-disabled",
  "connect-failed",
  "restart-failed",
  "no-account",
  "login-running",
  "login-failed",
  "login-not-found",
  "approval-not-found",
  "consumer-not-found",
  "gateway-off",
  "too-many-readers",
  "metrics-off",
  "internal",
] as const;

export type ProblemSlug = (typeof problemSlugs)[number];

/** Thrown by handlers; becomes the answer. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.detail ?? problem.title);
    this.problem = problem;
  }
}

/** The JSON text of a problem; `type` is `urn:mcpvisor:problem:<slug>`. */
export function problemBody(problem: Problem): string {
  const { status, slug, title, detail, errors, more } = problem;
  return JSON.stringify({
    type: `urn:mcpvisor:problem:${slug}`,
    title,
    status,
    ...(detail === undefined ? {} : { detail }),
    code: slug,
    ...(errors === undefined ? {} : { errors }),
    ...more,
  });
}

export function problemResponse(problem: Problem): Response {
  return new Response(problemBody(problem), { status: problem.status, headers: problemHeaders(problem) });
}

/** Headers of a problem answer; 401 names the scheme (RFC 6750). */
export function problemHeaders(problem: Problem): Record<string, string> {
  return {
    "content-type": "application/problem+json",
    ...(problem.status === 401 ? { "www-authenticate": 'Bearer realm="mcpvisor"' } : {}),
  };
}
