import { createHash } from "node:crypto";
import type { ServerSpec } from "../spec.js";
import type { AuthorizedServer } from "./contract.js";
import type { AccountKey } from "./grants/store.js";

/** Undefined for servers that are no address, have their own Authorization header, or want no tokens. */
export function authorizedServer({ id, target, scope, file }: ServerSpec): AuthorizedServer | undefined {
  if (target.kind === "stdio" || target.oauth === false) return undefined;
  if (Object.keys(target.headers).some((name) => name.toLowerCase() === "authorization")) return undefined;
  return {
    id,
    url: target.url,
    oauth: target.oauth,
    project: scope === "project" ? (file ?? "") : undefined,
  };
}

/** The account of a server: that of its address, under the name that its entry gives it. A project file has its own. */
export function keyOf({ url, oauth, project }: AuthorizedServer): AccountKey {
  const address = new URL(url);
  address.hash = "";
  const own =
    project === undefined
      ? "default"
      : `project:${createHash("sha256").update(project).digest("hex").slice(0, 16)}`;
  return { url: address.href, account: oauth?.account ?? own };
}
