import type { JSX } from "preact";
import type { ServerStatus } from "../../../index.js";
import { count, duration } from "../model/format.js";
import { now, select, selected, servers } from "../model/store.js";
import { signOf, toneOf } from "./stateTone.js";

/** Every server at a glance; the list is a listbox for the keyboard. */
export function Servers(): JSX.Element {
  return (
    <nav class="servers" aria-label="Servers">
      <ul role="listbox" aria-label="Servers" data-testid="servers">
        {servers.value.map((server) => (
          <Row key={server.id} server={server} />
        ))}
      </ul>
      {servers.value.length === 0 ? (
        <p class="empty">
          No servers yet. Add one with <code>mcpvisor add</code>, or POST it to <code>/api/mcp/servers</code>.
        </p>
      ) : null}
    </nav>
  );
}

function Row({ server }: { server: ServerStatus }): JSX.Element {
  const isSelected = selected.value?.id === server.id;
  return (
    <li role="option" aria-selected={isSelected} data-server={server.id}>
      <button
        type="button"
        class={`row ${toneOf(server.state)}`}
        tabIndex={isSelected ? 0 : -1}
        onClick={() => select(server.id)}
      >
        <span class="sign" aria-hidden="true">
          {signOf(server.state)}
        </span>
        <span class="name">{server.name}</span>
        <span class="state">
          {server.state}
          <Next server={server} />
        </span>
        <span class="numbers">
          <span title="tools">{server.toolCount} tools</span>
          <span title="calls so far">{count(server.calls)} calls</span>
          {server.failures > 0 ? (
            <span class="bad" title="failed calls">
              {count(server.failures)} failed
            </span>
          ) : null}
          {server.latency === undefined ? null : (
            <span title="latency, 95th percentile">p95 {duration(server.latency.p95)}</span>
          )}
          {server.inFlight + server.queued > 0 ? (
            <span class="busy" title="in flight + queued">
              {server.inFlight}+{server.queued} now
            </span>
          ) : null}
          {server.restarts > 0 ? (
            <span class="wait" title="abnormal ends">
              {server.restarts}↻
            </span>
          ) : null}
          {server.warnings.length > 0 ? (
            <span class="wait" title="warnings">
              ⚠ {server.warnings.length}
            </span>
          ) : null}
        </span>
      </button>
    </li>
  );
}

function Next({ server: { nextAttemptAt } }: { server: ServerStatus }): JSX.Element | null {
  if (nextAttemptAt === undefined || nextAttemptAt <= now.value) return null;
  return <small> in {duration(nextAttemptAt - now.value)}</small>;
}
