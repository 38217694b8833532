import type { AuthorizeRequest, LoginOptions, ServerHandle } from "../../index.js";

/** One login over the API, for as long as it can be asked about. */
export interface ServerLogin {
  readonly server: string;
  readonly request: AuthorizeRequest;
  readonly state: "waiting" | "done" | "failed";
  /** Why it came to nothing, in one sentence. */
  readonly failure?: string;
}

/** What a wish for a login led to: one that waits for a person, the one that runs already, or a reason. */
export type Begun =
  | { readonly kind: "begun"; readonly login: ServerLogin }
  | { readonly kind: "running"; readonly login: string | undefined }
  | { readonly kind: "failed"; readonly failure: string; readonly message: string };

export type LoginWish = Pick<LoginOptions, "scopes" | "device" | "newClient">;

interface Running {
  readonly stop: AbortController;
  /** Unknown until there is something to show. */
  login: string | undefined;
}

/** How many logins are remembered, those that run among them. */
const mostKept = 50;

/** The logins that were begun over the API: each waits for a person, is asked about, answered or given up by its id. */
export class LoginDesk {
  readonly #logins = new Map<string, ServerLogin>();
  /** By the id of their server. */
  readonly #running = new Map<string, Running>();

  /** Resolves as soon as there is something to show. Whoever goes away before that (`gone`) gives it up. */
  async begin(server: ServerHandle, wish: LoginWish, gone: AbortSignal): Promise<Begun> {
    const before = this.#running.get(server.id);
    if (before !== undefined) return { kind: "running", login: before.login };
    const running: Running = { stop: new AbortController(), login: undefined };
    const giveUp = (): void => running.stop.abort();
    gone.addEventListener("abort", giveUp, { once: true });
    this.#running.set(server.id, running);
    return new Promise((resolve, reject) => {
      const show = (request: AuthorizeRequest): void => {
        gone.removeEventListener("abort", giveUp);
        running.login = request.login;
        const login: ServerLogin = { server: server.id, request, state: "waiting" };
        this.#keep(login);
        resolve({ kind: "begun", login });
      };
      // After `show` the caller has its answer; what comes now is told by `get`.
      this.#run(server, { ...wish, show }, running)
        .then(resolve, reject)
        .finally(() => gone.removeEventListener("abort", giveUp));
    });
  }

  async #run(server: ServerHandle, options: LoginOptions, running: Running): Promise<Begun> {
    try {
      await server.login({ ...options, signal: running.stop.signal });
      this.#end(running.login, { state: "done" });
      return { kind: "failed", failure: "unsupported", message: "there was nothing to show to anybody" };
    } catch (error) {
      const known = failureOf(error);
      this.#end(running.login, { state: "failed", failure: known?.message ?? "the service failed at it" });
      if (known === undefined) throw error;
      return { kind: "failed", ...known };
    } finally {
      this.#running.delete(server.id);
    }
  }

  /** Undefined for one that never was, or is forgotten. */
  get(login: string): ServerLogin | undefined {
    return this.#logins.get(login);
  }

  /** False when there is none that waits. */
  cancel(login: string): boolean {
    const running = [...this.#running.values()].find((each) => each.login === login);
    running?.stop.abort();
    return running !== undefined;
  }

  close(): void {
    for (const { stop } of this.#running.values()) stop.abort();
  }

  #end(login: string | undefined, end: Pick<ServerLogin, "state" | "failure">): void {
    const known = login === undefined ? undefined : this.#logins.get(login);
    if (login !== undefined && known !== undefined) this.#logins.set(login, { ...known, ...end });
  }

  #keep(login: ServerLogin): void {
    this.#logins.set(login.request.login, login);
    const [oldest] = this.#logins.keys();
    if (this.#logins.size > mostKept && oldest !== undefined) this.#logins.delete(oldest);
  }
}

/** Errors of a login carry `failure` and say one sentence without secrets; others are faults of the service. */
export function failureOf(
  error: unknown,
): { readonly failure: string; readonly message: string } | undefined {
  if (!(error instanceof Error) || !("failure" in error) || typeof error.failure !== "string")
    return undefined;
  return { failure: error.failure, message: error.message };
}
