import type { JSX } from "preact";
import type { AttentionItem } from "../../../index.js";
import { move, setNetwork } from "../model/actions.js";
import { attention } from "../model/attention.js";
import { visible } from "../model/format.js";
import { startLogin, wantsLogin } from "../model/login.js";
import { pane, select, servers } from "../model/store.js";

const most = 6;

/** What a person should do, ranked, each with its one button where there is one. */
export function Attention(): JSX.Element | null {
  const items = attention.value;
  if (items.length === 0) return null;
  return (
    <section class="attention" aria-label="Needs attention" data-testid="attention">
      <h2>
        Needs attention <b>{items.length}</b>
      </h2>
      <ul>
        {items.slice(0, most).map((item) => (
          <li key={item.id} class={item.tone}>
            <span class="what">
              {item.server === undefined ? null : (
                <button type="button" class="jump" onClick={() => select(item.server ?? "")}>
                  {visible(item.server)}
                </button>
              )}{" "}
              {visible(item.text)} <small>{visible(item.advice)}</small>
            </span>
            <Fix item={item} />
          </li>
        ))}
      </ul>
      {items.length > most ? <p class="empty">and {items.length - most} more</p> : null}
    </section>
  );
}

function Fix({ item: { fix } }: { item: AttentionItem }): JSX.Element | null {
  const { server } = fix;
  switch (fix.do) {
    case "connect":
      return <Button label="Try again" act={() => server !== undefined && void move(server, "connect")} />;
    case "restart":
      return <Button label="Restart" act={() => server !== undefined && void move(server, "restart")} />;
    case "network":
      return <Button label="Switch on" act={() => void setNetwork(true)} />;
    case "decide":
      return <Button label="Show" act={showQuestions} />;
    case "login": {
      // A header of its own that was refused is mended in its entry.
      const status = servers.value.find(({ id }) => id === server);
      return status !== undefined && wantsLogin(status) ? (
        <Button label="Log in" act={() => void startLogin(status.id)} />
      ) : null;
    }
    case "edit":
    case "end":
      return null;
  }
}

function Button({ label, act }: { label: string; act: () => void }): JSX.Element {
  return (
    <button type="button" onClick={act}>
      {label}
    </button>
  );
}

function showQuestions(): void {
  pane.value = "activity";
  setTimeout(() => document.querySelector<HTMLElement>(".approvals article")?.focus());
}
