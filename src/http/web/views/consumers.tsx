import { computed, signal } from "@preact/signals";
import type { JSX } from "preact";
import { renewConsumer, revokeConsumer } from "../model/actions.js";
import type { Consumer } from "../model/api.js";
import { visible } from "../model/format.js";
import { consumers, history } from "../model/store.js";

/** A token that was made here, until it is put away: nobody can read it again. */
const made = signal<{ readonly name: string; readonly token: string } | undefined>(undefined);
/** Who is to be revoked by a second press. */
const doomed = signal<string | undefined>(undefined);

/** What each consumer called last, by its name. */
const last = computed(() => {
  const found = new Map<string, string>();
  for (const fact of history.value.facts)
    if (fact.type === "mcp.call.started" && fact.consumer !== undefined)
      found.set(fact.consumer, `${fact.id} · ${fact.tool}`);
  return found;
});

/** The agents that use the gateway: what each sees, and what it calls. */
export function Consumers(): JSX.Element | null {
  if (consumers.value.length === 0) return null;
  return (
    <section class="consumers" aria-label="Consumers" data-testid="consumers">
      <h2>
        Consumers <b>{consumers.value.length}</b>
      </h2>
      {made.value === undefined ? null : (
        <p class="wait">
          New token of {visible(made.value.name)}, shown this once: <code>{made.value.token}</code>{" "}
          <button type="button" onClick={() => (made.value = undefined)}>
            Put away
          </button>
        </p>
      )}
      <ul>
        {consumers.value.map((each) => (
          <Row key={each.name} consumer={each} />
        ))}
      </ul>
    </section>
  );
}

function Row({ consumer }: { consumer: Consumer }): JSX.Element {
  const { name, config, sessions, inFlight, calls, token } = consumer;
  const now = last.value.get(name);
  return (
    <li data-consumer={name}>
      <code>{visible(name)}</code>
      <span title={`${sessions} sessions, ${inFlight} under way`}>
        {visible(sees(config))} · {config.mode ?? "as the fleet"} · {calls} calls
        {now === undefined ? "" : ` · last ${visible(now)}`}
      </span>
      <span class="actions">
        {token === undefined ? null : (
          <button type="button" onClick={() => void renew(name)}>
            Rotate
          </button>
        )}
        <button type="button" class="danger" onClick={() => revoke(name)}>
          {doomed.value === name ? "Really?" : "Revoke"}
        </button>
      </span>
    </li>
  );
}

function sees({ servers, tools }: Consumer["config"]): string {
  const rules = [
    servers === undefined ? "all servers" : servers.join(", "),
    ...(tools?.include ?? []),
    ...(tools?.exclude ?? []).map((each) => `not ${each}`),
  ];
  return rules.join(", ");
}

async function renew(name: string): Promise<void> {
  const token = await renewConsumer(name);
  if (token !== undefined) made.value = { name, token };
}

function revoke(name: string): void {
  if (doomed.value !== name) {
    doomed.value = name;
    return;
  }
  doomed.value = undefined;
  void revokeConsumer(name);
}
