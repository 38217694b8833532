import { randomBytes } from "node:crypto";
import type { Account } from "./account.js";
import type { Clock } from "../clock.js";
import type { Authorize, AuthorizeRequest, BrokerPorts, LoginWish } from "./contract.js";
import { AuthError } from "./door/problem.js";
import type { NeedReason } from "./grants/record.js";
import type { Refusal } from "./grants/verdict.js";
import type { Shown } from "./login/loginTypes.js";

const mostAtOnce = 8;
const browserMs = 5 * 60_000;
const deviceMs = 15 * 60_000;

export interface LoginOf {
  readonly servers: readonly string[];
  readonly reason: NeedReason | "asked";
  readonly wish: LoginWish;
}

interface Subject {
  readonly server: { readonly id: string };
  readonly account: Account;
  readonly refusal: Refusal | undefined;
}

/** The logins that run in this process: each with an id, a limit in time, and two facts. */
export class Logins {
  readonly #clock: Clock;
  readonly #ports: BrokerPorts;
  readonly #authorize: Authorize | undefined;
  readonly #running = new Map<Account, AbortController>();

  constructor(clock: Clock, ports: BrokerPorts, authorize: Authorize | undefined) {
    this.#clock = clock;
    this.#ports = ports;
    this.#authorize = authorize;
  }

  /** Runs one login; AuthError when it comes to nothing. */
  async run({ server, account, refusal }: Subject, { servers, reason, wish }: LoginOf): Promise<void> {
    const show = wish.show ?? this.#authorize;
    if (show === undefined)
      throw new AuthError("unsupported", "nobody can be asked: give createSupervisor an authorize function");
    if (this.#running.has(account)) throw new AuthError("busy", "a login of this account runs already");
    if (this.#running.size >= mostAtOnce) throw new AuthError("busy", `${mostAtOnce} logins run already`);
    const isDevice = wish.device === true || account.words.grant === "device";
    const limitMs = wish.timeoutMs ?? (isDevice ? deviceMs : browserMs);
    const login = randomBytes(6).toString("hex");
    const began = this.#clock.now();
    const stop = new AbortController();
    const timer = this.#clock.setTimeout(
      () => stop.abort(new AuthError("timeout", `nobody answered within ${Math.round(limitMs / 1000)} s`)),
      limitMs,
    );
    const cancel = (): void => stop.abort(new AuthError("cancelled", "the login was given up"));
    wish.signal?.addEventListener("abort", cancel, { once: true });
    this.#running.set(account, stop);
    this.#ports.tell({
      type: "mcp.auth.started",
      login,
      id: server.id,
      how: isDevice ? "device" : "browser",
      by: wish.by ?? "asked",
    });
    const settled = (failure?: string): void => {
      const ms = this.#clock.now() - began;
      const ok = failure === undefined;
      this.#ports.tell({ type: "mcp.auth.settled", login, id: server.id, ok, ms, ...(!ok && { failure }) });
    };
    try {
      await account.login({
        refusal,
        scopes: wish.scopes,
        device: isDevice,
        newClient: wish.newClient,
        signal: stop.signal,
        show: (shown) => {
          const request = requestOf(shown, {
            login,
            servers,
            reason,
            account: account.key.account,
            expiresAt: began + limitMs,
          });
          void this.#show(show, request, stop);
        },
      });
      settled();
    } catch (error) {
      const problem = error instanceof AuthError ? error : new AuthError("bad-answer", String(error));
      settled(problem.message);
      throw problem;
    } finally {
      this.#clock.clearTimeout(timer);
      wish.signal?.removeEventListener("abort", cancel);
      this.#running.delete(account);
      if (!stop.signal.aborted) stop.abort(new AuthError("cancelled", "the login is over"));
    }
  }

  close(): void {
    for (const stop of this.#running.values())
      stop.abort(new AuthError("cancelled", "the supervisor is stopping"));
  }

  /** The host shows it to a person; what it gives back is the address that the browser ended at. */
  async #show(show: Authorize, request: AuthorizeRequest, stop: AbortController): Promise<void> {
    try {
      const address = await show(request, stop.signal);
      if (typeof address === "string") await request.answer(address);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      stop.abort(new AuthError("cancelled", `it could not be shown to anybody: ${why.slice(0, 200)}`));
    }
  }
}

function requestOf(
  shown: Shown,
  about: Pick<AuthorizeRequest, "login" | "servers" | "reason" | "account" | "expiresAt">,
): AuthorizeRequest {
  const { issuer, scopes, newScopes, url, device, answer } = shown;
  if (device === undefined)
    return { ...about, issuer, scopes, newScopes, answer, ...(url !== undefined && { url }) };
  const { userCode, verificationUri, verificationUriComplete, expiresAt } = device;
  return {
    ...about,
    issuer,
    scopes,
    newScopes,
    answer,
    userCode,
    verificationUri,
    expiresAt,
    ...(verificationUriComplete !== undefined && { verificationUriComplete }),
  };
}
