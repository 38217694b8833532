import type { Cause } from "../errors.js";
import { brokenAnswerId, jsonFault } from "./brokenJson.js";
import type { RequestId } from "./jsonrpc.js";

/** A text that does not parse and is plainly the answer to a request: which one, and the reason. Undefined otherwise. */
export function brokenAnswer(server: string, text: string): { id: RequestId; cause: Cause } | undefined {
  const id = brokenAnswerId(text);
  return id === undefined ? undefined : { id, cause: notJson(server, text) };
}

/** Why an answer cannot be read. Nothing of the text itself is told but a word that JSON does not have. */
export function notJson(server: string, text: string, status?: number): Cause {
  const fault = jsonFault(text);
  const where = fault === undefined ? "" : `: ${fault.reason} at character ${fault.at + 1}`;
  const how = status === undefined ? "sent" : `answered HTTP ${status} with`;
  const message = `server "${server}" ${how} an answer that is no JSON${where}`;
  return { kind: "not-json", message, ...(status === undefined ? {} : { httpStatus: status }) };
}
