import { isRecord } from "./serverInfo.js";

/** One thing a server wants to know before it goes on: what would be a request to us in older revisions. */
export interface InputRequest {
  readonly key: string;
  readonly method: string;
  readonly params: unknown;
}

/** An `input_required` result (MCP 2026-07-28, multi round-trip requests). */
export interface InputRequired {
  readonly requests: readonly InputRequest[];
  /** Opaque; goes back exactly as it came, and only if it came. */
  readonly state?: string;
}

/** What a result of 2026-07-28 says it is; absent means complete, for servers of earlier revisions. */
export function resultTypeOf(result: unknown): string {
  const type = isRecord(result) ? result["resultType"] : undefined;
  return type === undefined ? "complete" : typeof type === "string" ? type : JSON.stringify(type);
}

/** Reads an `input_required` result; undefined when it holds neither requests nor state. */
export function readInputRequired(result: unknown): InputRequired | undefined {
  if (!isRecord(result)) return undefined;
  const { requestState } = result;
  const requests = readInputRequests(result["inputRequests"]);
  if (requests.length === 0 && typeof requestState !== "string") return undefined;
  return typeof requestState === "string" ? { requests, state: requestState } : { requests };
}

/** The well-formed members of an `inputRequests` object. */
export function readInputRequests(value: unknown): InputRequest[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    isRecord(each) && typeof each["method"] === "string"
      ? [{ key, method: each["method"], params: each["params"] }]
      : [],
  );
}

/** The members that a retried `tools/call` carries besides the original params, as `"key":value,` text. */
export function retryMembers(
  { requests, state }: InputRequired,
  responses: Readonly<Record<string, unknown>>,
): string {
  const answers = requests.length === 0 ? "" : `"inputResponses":${JSON.stringify(responses)},`;
  return state === undefined ? answers : `${answers}"requestState":${JSON.stringify(state)},`;
}
