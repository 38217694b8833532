import type { JSX } from "preact";
import { computed } from "@preact/signals";
import { setNetwork } from "../model/actions.js";
import { clockTime, duration } from "../model/format.js";
import {
  approvals,
  helpOpen,
  history,
  link,
  lostAt,
  network,
  notices,
  now,
  onlyTrouble,
  pane,
  problems,
  servers,
  type Pane,
} from "../model/store.js";
import { choice, nextTheme } from "../model/theme.js";
import { toneOf, type Tone } from "./stateTone.js";

const counts = computed(() => {
  const found: Record<Tone, number> = { good: 0, busy: 0, wait: 0, rest: 0, bad: 0, off: 0 };
  for (const server of servers.value) found[toneOf(server.state)]++;
  return found;
});

const perMinute = computed(() => history.value.settled.filter((call) => call.at > now.value - 60_000));

/** Name, health of the fleet in one line, link to the service, theme and help. */
export function Top(): JSX.Element {
  const failed = perMinute.value.filter((call) => !call.ok).length;
  return (
    <header class="top">
      <h1 class="brand">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="8" />
          <path d="M7 22V10l9 7 9-7v12" />
        </svg>
        mcpvisor
      </h1>
      <ul class="counts" aria-label="Servers by state" data-testid="counts">
        <Count tone="good" label="ready" />
        <Count tone="busy" label="working" />
        <Count tone="wait" label="waiting" />
        <Count tone="rest" label="idle" />
        <Count tone="bad" label="in trouble" />
        <Count tone="off" label="off" />
      </ul>
      <span class="rate">
        {perMinute.value.length} calls/min{failed > 0 ? <b class="bad"> {failed} failed</b> : null}
      </span>
      <span class="space" />
      <button
        type="button"
        class="quiet"
        aria-pressed={network.value}
        title={network.value ? "Park the servers that have a url" : "Bring the servers that have a url back"}
        data-testid="network"
        onClick={() => void setNetwork(!network.value)}
      >
        {network.value ? "network on" : "network off"}
      </button>
      <LinkState />
      <button
        type="button"
        class="quiet"
        title="Theme"
        aria-label={`Theme: ${choice.value}`}
        onClick={nextTheme}
      >
        {{ auto: "◑", light: "☀", dark: "☾" }[choice.value]}
      </button>
      <button
        type="button"
        class="quiet"
        title="Keys"
        aria-label="Keyboard help"
        onClick={() => (helpOpen.value = true)}
      >
        ?
      </button>
    </header>
  );
}

function Count({ tone, label }: { tone: Tone; label: string }): JSX.Element | null {
  const value = counts.value[tone];
  if (value === 0) return null;
  if (tone !== "bad")
    return (
      <li class={tone}>
        <b>{value}</b> {label}
      </li>
    );
  return (
    <li class={tone}>
      <button
        type="button"
        class="jump"
        aria-pressed={onlyTrouble.value}
        title="Show only these"
        onClick={() => (onlyTrouble.value = !onlyTrouble.value)}
      >
        <b>{value}</b> {label}
      </button>
    </li>
  );
}

function LinkState(): JSX.Element {
  const words = { connecting: "connecting …", live: "live", lost: "connection lost", locked: "locked" }[
    link.value
  ];
  return (
    <span class={`link ${link.value}`} role="status" data-testid="link">
      {words}
    </span>
  );
}

/** Across the page: the link is lost, or the fleet configuration has problems of no single server. */
export function Banners(): JSX.Element {
  const loose = problems.value.filter((problem) => problem.server === undefined);
  return (
    <div class="banners">
      {link.value === "lost" ? (
        <p class="bad" role="alert" data-testid="lost">
          The connection to the service was lost at {clockTime(lostAt.value)} (
          {duration(Math.max(0, now.value - lostAt.value))} ago). What you see is from then. Trying again;
          missed events will be fetched.
        </p>
      ) : null}
      {loose.map((problem) => (
        <p key={`${problem.file ?? ""}${problem.line ?? ""}${problem.message}`} class="wait">
          {problem.file === undefined
            ? ""
            : `${problem.file}${problem.line === undefined ? "" : `:${problem.line}`}: `}
          {problem.path === undefined ? "" : `${problem.path} `}
          {problem.message}
          {problem.hint === undefined ? "" : ` (${problem.hint})`}
        </p>
      ))}
    </div>
  );
}

export function Notices(): JSX.Element {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map((notice) => (
        <p key={notice.key} class={notice.tone}>
          {notice.text}
        </p>
      ))}
    </div>
  );
}

/** Bottom bar of narrow screens. */
export function Panes(): JSX.Element {
  const waiting = approvals.value.length;
  return (
    <div class="panes">
      <PaneButton name="servers" label="Servers" />
      <PaneButton name="server" label="Server" />
      <PaneButton name="activity" label={waiting > 0 ? `Activity (${waiting})` : "Activity"} />
    </div>
  );
}

function PaneButton({ name, label }: { name: Pane; label: string }): JSX.Element {
  return (
    <button type="button" aria-pressed={pane.value === name} onClick={() => (pane.value = name)}>
      {label}
    </button>
  );
}
