import { createInterface } from "node:readline";
import type { AuthorizeRequest } from "../../auth/standalone.js";
import { say } from "../context/context.js";
import type { Context } from "../context/context.js";
import { visible } from "../screen/visible.js";

export interface LoginDeskOptions {
  /** Read the address that a browser ended at from stdin. */
  readonly paste: boolean;
  /** Open the browser of this machine. */
  readonly browser: boolean;
  /** Opens an address; in tests another one. */
  readonly open?: (address: string) => Promise<boolean>;
}

/** Shows a login in a terminal: who asks for what first, then where to go. */
export function loginDesk(
  context: Context,
  { paste, browser, open = openInBrowser }: LoginDeskOptions,
): (request: AuthorizeRequest, signal: AbortSignal) => Promise<void> {
  return async (request, signal) => {
    for (const line of about(request)) say(context, visible(line));
    const { url } = request;
    if (url === undefined) return;
    const isRemote = context.env["SSH_CONNECTION"] !== undefined;
    const opened = browser && !paste && !isRemote && context.terminal.canAsk && (await open(url));
    say(context, visible(opened ? `Opened in the browser: ${url}` : `Open this address: ${url}`));
    if (isRemote && !paste) say(context, forwarding(url));
    if (paste) await pasted(context, request, signal);
  };
}

function about(request: AuthorizeRequest): string[] {
  const { servers, account, issuer, scopes, newScopes, userCode, verificationUri } = request;
  const asked = scopes.map((scope) => (newScopes.includes(scope) ? `${scope} (new)` : scope));
  return [
    `Login of ${servers.join(", ")} as account "${account}"`,
    `  at      ${issuer}`,
    `  scopes  ${asked.length > 0 ? asked.join(", ") : "those that it gives by itself"}`,
    ...(userCode === undefined ? [] : [`Enter ${userCode} at ${verificationUri}`]),
  ];
}

/** The answer comes to this machine; a browser elsewhere reaches it through the connection. */
function forwarding(url: string): string {
  const back = new URL(url).searchParams.get("redirect_uri") ?? "";
  const port = URL.canParse(back) ? new URL(back).port : "";
  return port === ""
    ? "The browser is elsewhere: use --paste or --device"
    : `The browser is elsewhere: forward the port there with  ssh -L ${port}:127.0.0.1:${port} HOST  or use --paste`;
}

/** Lines from stdin until one is the answer of this login. */
async function pasted(context: Context, { answer }: AuthorizeRequest, signal: AbortSignal): Promise<void> {
  say(context, "Paste the whole address of the last page here:");
  const reader = createInterface({ input: context.terminal.stdin, terminal: false, signal });
  for await (const line of reader) {
    if (line.trim() === "") continue;
    const { ok, text } = await answer(line.trim());
    if (ok) return;
    say(context, visible(text));
  }
  if (!signal.aborted) throw new Error("stdin ended before an address that belongs to this login");
}

async function openInBrowser(address: string): Promise<boolean> {
  const { openBrowser } = await import("../../builtin/accounts/browser.js");
  return openBrowser(address);
}
