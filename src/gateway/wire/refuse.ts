import type { ServerResponse } from "node:http";
import { answerText, codes, failed } from "../contract/protocol.js";
import type { RequestId, RpcError } from "../contract/protocol.js";

export function accepted(response: ServerResponse): void {
  response.writeHead(202, { "content-length": 0 }).end();
}

export function unauthorized(response: ServerResponse): void {
  response.setHeader("www-authenticate", `Bearer realm="mcpvisor"`);
  // The body was not read: nothing after it may be taken as a request.
  response.setHeader("connection", "close");
  refuse(
    response,
    401,
    failed(codes.limit, "a consumer's token is needed: `mcpvisor consumers add NAME` makes one").error,
  );
}

export function refuse(
  response: ServerResponse,
  status: number,
  error: RpcError,
  id: RequestId | null = null,
): void {
  const body = Buffer.from(answerText(id, { error }));
  response
    .writeHead(status, {
      "content-type": "application/json",
      "cache-control": "no-store",
      "content-length": body.length,
    })
    .end(body);
}
