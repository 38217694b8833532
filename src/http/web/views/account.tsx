import { signal } from "@preact/signals";
import type { JSX } from "preact";
import type { ServerStatus } from "../../../index.js";
import { logOut, startLogin, wantsLogin } from "../model/login.js";
import { accounts } from "../model/store.js";

/** Which server is to be logged out by a second press. */
const leaving = signal<string | undefined>(undefined);

/** Logging in where that is what a server waits for, and out where there is a grant. */
export function AccountActions({ server }: { server: ServerStatus }): JSX.Element | null {
  const { id } = server;
  if (wantsLogin(server))
    return (
      <button type="button" class="primary" onClick={() => void startLogin(id)}>
        Log in
      </button>
    );
  if (accounts.value.find((each) => each.server === id)?.state !== "logged-in") return null;
  return (
    <button type="button" class="quiet" onClick={() => leave(id)}>
      {leaving.value === id ? "Really log out?" : "Log out"}
    </button>
  );
}

/** The account of a server in one line; undefined where there is none. */
export function accountLine(id: string): string | undefined {
  const found = accounts.value.find((each) => each.server === id);
  if (found === undefined) return undefined;
  const { account, state, issuer, scopes = [] } = found;
  return [
    account,
    state.replace("-", " "),
    ...(issuer === undefined ? [] : [`at ${issuer}`]),
    ...(scopes.length === 0 ? [] : [`for ${scopes.join(" ")}`]),
  ].join(", ");
}

function leave(id: string): void {
  if (leaving.value !== id) {
    leaving.value = id;
    return;
  }
  leaving.value = undefined;
  void logOut(id);
}
