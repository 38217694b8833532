import { Fragment, type JSX } from "preact";
import { useState } from "preact/hooks";
import type { BegunLogin } from "../model/api.js";
import { duration, visible } from "../model/format.js";
import { leaveLogin, login, paste, startLogin, takeOver } from "../model/login.js";
import { now } from "../model/store.js";

/** The dialogue of one login: who asks for what first, then where to go. */
export function Login(): JSX.Element | null {
  const shown = login.value;
  if (shown === undefined) return null;
  return (
    <div class="shade">
      <div
        class="help login"
        role="dialog"
        aria-modal="true"
        aria-labelledby="login-title"
        data-testid="login"
      >
        <h2 id="login-title">Log in: {visible(shown.server)}</h2>
        {shown.phase === "asking" ? (
          <p role="status">Looking for its authorization server …</p>
        ) : shown.phase === "waiting" ? (
          <Waiting key={shown.begun.login} begun={shown.begun} hint={shown.hint} />
        ) : shown.phase === "elsewhere" ? (
          <p role="status">A login of this account runs already, in another window or on the command line.</p>
        ) : (
          <p class="bad" role="alert">
            {visible(shown.why)}
          </p>
        )}
        <div class="actions">
          {shown.phase === "failed" ? (
            <button type="button" class="primary" onClick={() => void startLogin(shown.server)}>
              Try again
            </button>
          ) : null}
          {shown.phase === "elsewhere" && shown.login !== undefined ? (
            <button type="button" onClick={() => void takeOver()}>
              End that one and begin here
            </button>
          ) : null}
          <button type="button" autofocus onClick={() => void leaveLogin()}>
            {shown.phase === "asking" || shown.phase === "waiting" ? "Cancel" : "Close"}
          </button>
        </div>
      </div>
    </div>
  );
}

function Waiting({ begun, hint }: { begun: BegunLogin; hint: string }): JSX.Element {
  const { issuer, account, scopes, newScopes, servers, url, expiresAt } = begun;
  return (
    <>
      <dl>
        <Item name="at" value={issuer} />
        <Item name="account" value={account} />
        {servers.length > 1 ? <Item name="also for" value={servers.join(", ")} /> : null}
        <div>
          <dt>asks for</dt>
          <dd data-testid="scopes">
            {scopes.length === 0 ? "what it gives by itself" : null}
            {scopes.map((scope) => (
              <Fragment key={scope}>
                <code>
                  {visible(scope)}
                  {newScopes.includes(scope) && newScopes.length < scopes.length ? " (new)" : ""}
                </code>{" "}
              </Fragment>
            ))}
          </dd>
        </div>
      </dl>
      {url === undefined || !isWeb(url) ? (
        <p>This login cannot be opened from a page.</p>
      ) : (
        <p>
          <a class="go" href={url} target="_blank" rel="noopener noreferrer">
            Open {visible(new URL(url).host)}
          </a>
        </p>
      )}
      <Paste hint={hint} />
      <p>
        <small>Gives up in {duration(Math.max(0, expiresAt - now.value))}.</small>
      </p>
    </>
  );
}

/** For a browser that is on another machine than the service: its last page does not load there. */
function Paste({ hint }: { hint: string }): JSX.Element {
  const [text, setText] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void paste(text);
      }}
    >
      <label>
        <small>If the last page does not load, the browser is on another machine: paste its address.</small>
        <input
          name="callback"
          type="text"
          autocomplete="off"
          spellcheck={false}
          placeholder="http://127.0.0.1:…"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {hint === "" ? null : (
        <p class="wait" role="alert">
          {visible(hint)}
        </p>
      )}
      <button type="submit" disabled={text.trim() === ""}>
        Finish
      </button>
    </form>
  );
}

function Item({ name, value }: { name: string; value: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{visible(value)}</code>
      </dd>
    </div>
  );
}

/** What a metadata document names as an address is never run: no `javascript:` and kin. */
function isWeb(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}
