import { computed, signal } from "@preact/signals";
import type { JSX } from "preact";
import type { ServerStatus } from "../../../index.js";
import { count, duration } from "../model/format.js";
import { filterText, loaded, now, onlyTrouble, select, selected, servers } from "../model/store.js";
import { signOf, toneOf } from "./stateTone.js";

const sorts = {
  config: "as configured",
  name: "by name",
  trouble: "trouble first",
  calls: "most calls",
} as const;
const sort = signal<keyof typeof sorts>("config");

function rank({ state }: ServerStatus): number {
  return { bad: 0, wait: 1, busy: 2, good: 3, rest: 4, off: 5 }[toneOf(state)];
}

const order: Record<keyof typeof sorts, (one: ServerStatus, other: ServerStatus) => number> = {
  config: () => 0,
  name: (one, other) => (one.name < other.name ? -1 : 1),
  trouble: (one, other) => rank(one) - rank(other),
  calls: (one, other) => other.calls - one.calls,
};

const shown = computed(() => {
  const words = filterText.value.toLowerCase();
  return servers.value
    .filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(words))
    .filter(({ state }) => !onlyTrouble.value || toneOf(state) === "bad")
    .toSorted(order[sort.value]);
});

/** Few servers need no tools of their own. */
const manyServers = 6;

/** Every server at a glance, found, sorted and narrowed. */
export function Servers(): JSX.Element {
  return (
    <nav class="servers" aria-label="Servers">
      {servers.value.length >= manyServers || filterText.value !== "" || onlyTrouble.value ? (
        <Finder />
      ) : null}
      <ul data-testid="servers">
        {shown.value.map((server) => (
          <Row key={server.id} server={server} />
        ))}
      </ul>
      <Empty />
    </nav>
  );
}

function Finder(): JSX.Element {
  return (
    <div class="finder">
      <input
        type="search"
        id="server-search"
        placeholder="Find  ( s )"
        aria-label="Find servers"
        value={filterText.value}
        onInput={(event) => (filterText.value = event.currentTarget.value)}
      />
      <select
        aria-label="Order of servers"
        value={sort.value}
        onChange={(event) => (sort.value = event.currentTarget.value as keyof typeof sorts)}
      >
        {Object.entries(sorts).map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Nothing there, nothing yet, or nothing that fits: each in its own words. */
function Empty(): JSX.Element | null {
  if (servers.value.length === 0)
    return loaded.value ? (
      <p class="empty">
        No servers yet. Take over those of other programs with <code>mcpvisor import</code>, or add one with{" "}
        <code>mcpvisor add</code>.
      </p>
    ) : (
      <p class="empty">Loading the servers …</p>
    );
  return shown.value.length === 0 ? <p class="empty">No server fits.</p> : null;
}

function Row({ server }: { server: ServerStatus }): JSX.Element {
  const isSelected = selected.value?.id === server.id;
  return (
    <li data-server={server.id}>
      <button
        type="button"
        class={`row ${toneOf(server.state)}`}
        aria-current={isSelected}
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
