import { type Attempt, prepareAttempt } from "./attempt.js";
import { keepClient, keepGrant } from "./keepGrant.js";
import type { LoginContext } from "./loginTypes.js";
import type { Page } from "./loopback.js";
import { AuthError } from "../door/problem.js";
import type { AccountRecord } from "../grants/record.js";

/** Logs in with a browser: resolves when the answer has led to a grant on disk. */
export async function loginByCode(context: LoginContext): Promise<AccountRecord> {
  const { input, found, scopes, newScopes } = context;
  const { signal } = input;
  let attempt: Attempt | undefined;
  let settle!: (result: Promise<AccountRecord>) => void;
  const settled = new Promise<AccountRecord>((resolve) => {
    settle = resolve;
  });
  let isAnswered = false;
  const called = async (address: string): Promise<Page> => {
    const judged = await attempt?.judge(address);
    if (judged === undefined || judged.kind === "not-ours")
      return { ok: false, text: `This was not used: ${judged?.message ?? "too early"}. The login goes on.` };
    if (isAnswered) return { ok: false, text: "This login has its answer already." };
    isAnswered = true;
    const result =
      judged.kind === "failed" ? Promise.reject(judged.error) : redeem(context, attempt!, judged.code);
    settle(result);
    return result.then(
      () => ({ ok: true, text: "You can close this page and go back." }),
      (error: unknown) => ({
        ok: false,
        text: error instanceof AuthError ? error.message : "The login failed.",
      }),
    );
  };
  attempt = await prepareAttempt({
    ...input,
    ...context,
    registering: () => input.registering(found.issuer.issuer),
    called,
  });
  const { url, redirectUri, client } = attempt;
  const onAbort = (): void => settle(Promise.reject(signal.reason as Error));
  signal.addEventListener("abort", onAbort);
  try {
    if (client.via === "registered" && client !== context.stored) await keepClient(input, found, client);
    if (signal.aborted) throw signal.reason;
    input.show({ issuer: found.issuer.issuer, scopes, newScopes, url, redirectUri, answer: called });
    return await settled;
  } finally {
    signal.removeEventListener("abort", onAbort);
    await attempt.close();
  }
}

async function redeem(context: LoginContext, attempt: Attempt, code: string): Promise<AccountRecord> {
  return keepGrant(context, attempt.client, await attempt.redeem(code));
}
