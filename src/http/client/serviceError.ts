/** A problem the service answered with; `code` is the stable slug (docs/http-api.md). */
export class ServiceError extends Error {
  /** Always `ServiceError`. */
  override readonly name = "ServiceError";
  /** Status of the answer (RFC 9110, 15). */
  readonly status: number;
  /** The stable slug, such as `server-not-found`; `unknown` when the answer was no problem document. */
  readonly code: string;
  /** The whole problem document (RFC 9457); empty when there was none. */
  readonly problem: Readonly<Record<string, unknown>>;
  /** `problem` is the document of the answer; its `detail` or `title` becomes the message. */
  constructor(status: number, problem: Readonly<Record<string, unknown>>) {
    super(
      textIn(problem, "detail") ?? textIn(problem, "title") ?? `the service answered with status ${status}`,
    );
    this.status = status;
    this.code = textIn(problem, "code") ?? "unknown";
    this.problem = problem;
  }
}

function textIn(problem: Readonly<Record<string, unknown>>, member: string): string | undefined {
  const value = problem[member];
  return typeof value === "string" ? value : undefined;
}
