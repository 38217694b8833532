import { AccountError } from "./errors.js";
import { isSame } from "./pkce.js";

/** Takes the code out of a redirect's address (RFC 6749 section 4.1.2); AccountError when it is not for us or refused. */
export function codeOf(address: string, state: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined) throw new AccountError("this is not the address of the last page; copy it whole");
  if (!isSame(url.searchParams.get("state") ?? "", state))
    throw new AccountError("the answer belongs to another attempt (state differs); start again");
  const error = url.searchParams.get("error");
  if (error !== null) throw new AccountError(`the authorization was refused (${error.slice(0, 100)})`);
  const code = url.searchParams.get("code");
  if (code === null || code === "") throw new AccountError("the answer carries no code; start again");
  return code;
}
