import { effect, signal } from "@preact/signals";
import type { ServerStatus } from "../../../index.js";
import { answerLogin, ApiError, beginLogin, cancelLogin, logOutOf, type BegunLogin } from "./api.js";
import { refresh } from "./link.js";
import { history, notify } from "./store.js";

/** The login that this page shows, from the press of the button to its end. */
export type ShownLogin =
  | { readonly phase: "asking"; readonly server: string }
  | { readonly phase: "waiting"; readonly server: string; readonly begun: BegunLogin; readonly hint: string }
  /** Another page or program has begun one; its id, if the service knows it. */
  | { readonly phase: "elsewhere"; readonly server: string; readonly login: string | undefined }
  | { readonly phase: "failed"; readonly server: string; readonly why: string };

export const login = signal<ShownLogin | undefined>(undefined);

/** Only a login brings it back, and it is one that can be had here: not a header of its own that was refused. */
export function wantsLogin({ state, cause, lastError }: ServerStatus): boolean {
  const { kind } = lastError ?? cause;
  return (
    state === "authorizing" ||
    (state === "parked" && (kind === "needs-authorization" || kind === "authorization-refused"))
  );
}

export async function startLogin(server: string): Promise<void> {
  const mine: ShownLogin = { phase: "asking", server };
  login.value = mine;
  try {
    const begun = await beginLogin(server);
    // Closed meanwhile: nobody waits for it.
    if (login.value === mine) login.value = { phase: "waiting", server, begun, hint: "" };
    else await cancelLogin(begun.login);
  } catch (error) {
    if (login.value !== mine) return;
    const known = error instanceof ApiError ? error : undefined;
    login.value =
      known?.code === "login-running"
        ? { phase: "elsewhere", server, login: known.login }
        : { phase: "failed", server, why: error instanceof Error ? error.message : String(error) };
  }
}

/** The address that a browser elsewhere ended at. */
export async function paste(address: string): Promise<void> {
  const shown = login.value;
  if (shown?.phase !== "waiting" || address.trim() === "") return;
  let hint: string;
  try {
    hint = (await answerLogin(shown.begun.login, address)).text;
  } catch (error) {
    hint = error instanceof Error ? error.message : String(error);
  }
  if (login.value === shown) login.value = { ...shown, hint };
}

/** Closes the dialogue; a login that waits is given up. */
export async function leaveLogin(): Promise<void> {
  const shown = login.value;
  login.value = undefined;
  if (shown?.phase === "waiting") await cancelLogin(shown.begun.login).catch(() => undefined);
}

/** Ends the login that was begun elsewhere, and begins one here. */
export async function takeOver(): Promise<void> {
  const shown = login.value;
  if (shown?.phase !== "elsewhere" || shown.login === undefined) return;
  await cancelLogin(shown.login).catch(() => undefined);
  await startLogin(shown.server);
}

export async function logOut(server: string): Promise<void> {
  try {
    const { revoked } = await logOutOf(server);
    notify("good", `${server} is logged out${revoked === "yes" ? ", its tokens are revoked" : ""}`);
  } catch (error) {
    notify("bad", error instanceof Error ? error.message : String(error));
  }
  void refresh("all");
}

// The end of a login is told as a fact, whoever brought it about.
effect(() => {
  const shown = login.value;
  if (shown?.phase !== "waiting") return;
  const end = history.value.facts.find(
    (fact) => fact.type === "mcp.auth.settled" && fact.login === shown.begun.login,
  );
  if (end?.type !== "mcp.auth.settled") return;
  if (end.ok) notify("good", `${shown.server} is logged in`);
  login.value = end.ok
    ? undefined
    : { phase: "failed", server: shown.server, why: end.failure ?? "It came to nothing." };
});
