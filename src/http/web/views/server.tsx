import type { JSX } from "preact";
import type { ConfigProblem, ServerStatus } from "../../../index.js";
import { move } from "../model/actions.js";
import { clockTime, duration, visible } from "../model/format.js";
import { wantsLogin } from "../model/login.js";
import { loaded, now, problems, selected, tab, tools, type Tab } from "../model/store.js";
import { StateChart } from "./stateChart.js";
import { accountLine, AccountActions } from "./account.js";
import { signOf, toneOf } from "./stateTone.js";
import { Tools } from "./tools.js";

/** The selected server: what it is, what to do with it, and three ways to look at it. */
export function Server(): JSX.Element {
  const server = selected.value;
  if (server === undefined)
    return <section class="server empty">{loaded.value ? "Nothing to show yet." : "Loading …"}</section>;
  const own = tools.value.filter((tool) => tool.server === server.id);
  return (
    <section class="server" aria-label="Server" data-testid="server">
      <header>
        <h2 class="name">
          {server.name}
          <span class={`badge ${toneOf(server.state)}`} data-testid="state">
            <span aria-hidden="true">{signOf(server.state)}</span> {server.state}
          </span>
        </h2>
        <Actions server={server} />
      </header>
      <Trouble server={server} />
      <div class="tabs" role="tablist">
        <TabButton name="overview" label="Overview" />
        <TabButton name="tools" label={loaded.value ? `Tools ${own.length}` : "Tools …"} />
        <TabButton name="output" label="Output" />
      </div>
      <div role="tabpanel" class="panel">
        {tab.value === "overview" ? <Overview server={server} /> : null}
        {tab.value === "tools" ? <Tools key={server.id} tools={own} /> : null}
        {tab.value === "output" ? <Output server={server} /> : null}
      </div>
    </section>
  );
}

function TabButton({ name, label }: { name: Tab; label: string }): JSX.Element {
  return (
    <button type="button" role="tab" aria-selected={tab.value === name} onClick={() => (tab.value = name)}>
      {label}
    </button>
  );
}

function Actions({ server }: { server: ServerStatus }): JSX.Element {
  const { id, enabled, state } = server;
  const rests = state === "idle" || state === "parked" || state === "reconnecting";
  return (
    <div class="actions">
      {enabled ? (
        <>
          <AccountActions server={server} />
          {rests ? (
            <button
              type="button"
              class={wantsLogin(server) ? "" : "primary"}
              onClick={() => void move(id, "connect")}
            >
              Connect
            </button>
          ) : null}
          {rests ? null : (
            <button type="button" onClick={() => void move(id, "restart")}>
              Restart
            </button>
          )}
          <button type="button" onClick={() => void move(id, "disconnect")} disabled={state === "idle"}>
            Disconnect
          </button>
          <button type="button" class="quiet" onClick={() => void move(id, "disable")}>
            Disable
          </button>
        </>
      ) : (
        <button type="button" class="primary" onClick={() => void move(id, "enable")}>
          Enable
        </button>
      )}
    </div>
  );
}

/** What a person should know first: why it is not up, warnings, problems of its entry. */
function Trouble({ server }: { server: ServerStatus }): JSX.Element | null {
  const isBad = toneOf(server.state) === "bad" || toneOf(server.state) === "wait";
  const lines = [
    ...(isBad && server.lastError !== undefined ? [visible(server.lastError.message)] : []),
    ...server.warnings.map(visible),
    ...problems.value.filter((problem) => problem.server === server.id).map(problemLine),
  ];
  if (lines.length === 0) return null;
  return (
    <ul class={`trouble ${isBad ? "bad" : "wait"}`} data-testid="trouble">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

/** Place, path, message and hint of a problem, as far as known. */
function problemLine({ file, line, path = "", message, hint }: ConfigProblem): string {
  const place = file === undefined ? "" : `${file}${line === undefined ? "" : `:${line}`}:`;
  const parts = [place, path, message, hint === undefined ? "" : `(${hint})`];
  return visible(parts.filter((each) => each !== "").join(" "));
}

function Overview({ server }: { server: ServerStatus }): JSX.Element {
  return (
    <>
      <StateChart server={server} />
      <dl class="facts">
        <Item
          name="since"
          value={`${clockTime(server.since)} (${duration(Math.max(0, now.value - server.since))})`}
        />
        <Item name="target" value={targetOf(server)} code />
        <Item
          name="server"
          value={
            server.serverInfo === undefined
              ? undefined
              : `${server.serverInfo.name} ${server.serverInfo.version}`
          }
        />
        <Item name="protocol" value={server.protocolVersion} />
        <Item name="transport" value={server.transport} />
        <Item name="processes" value={server.pids.join(" ") || undefined} code />
        <Item
          name="life"
          value={`${server.generation}${server.restarts > 0 ? `, ${server.restarts} abnormal ends` : ""}`}
        />
        <Item
          name="calls"
          value={`${server.calls}, ${server.failures} failed, ${server.inFlight} in flight, ${server.queued} queued`}
        />
        <Item
          name="latency"
          value={
            server.latency === undefined
              ? undefined
              : `p50 ${duration(server.latency.p50)} · p95 ${duration(server.latency.p95)} · p99 ${duration(server.latency.p99)}`
          }
        />
        <Item name="account" value={accountLine(server.id)} />
        <Item name="from" value={server.file ?? server.scope} code />
        <Item name="hides" value={server.hides} code />
        <Item name="trusted" value={server.trusted ? "yes" : "no: its hints do not count"} />
        <Item name="secrets" value={secretNames(server)} code />
        <Item name="instructions" value={server.instructions} />
      </dl>
    </>
  );
}

function Item({
  name,
  value,
  code,
}: {
  name: string;
  value: string | undefined;
  code?: boolean;
}): JSX.Element | null {
  if (value === undefined) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{code === true ? <code>{visible(value)}</code> : visible(value)}</dd>
    </div>
  );
}

function Output({ server }: { server: ServerStatus }): JSX.Element {
  const lines = server.stderrTail.length > 0 ? server.stderrTail : (server.lastError?.stderrTail ?? []);
  return (
    <section class="output" aria-label="Error output">
      {lines.length === 0 ? <p class="empty">It has written nothing to stderr.</p> : null}
      <pre data-testid="stderr">{lines.map(visible).join("\n")}</pre>
    </section>
  );
}

function targetOf({ target }: ServerStatus): string {
  const { url, command, args } = target;
  if (typeof url === "string") return url;
  return [command, ...(Array.isArray(args) ? args : [])].map(String).join(" ");
}

function secretNames({ target: { env, headers } }: ServerStatus): string | undefined {
  const names = Object.keys({ ...(env as object | undefined), ...(headers as object | undefined) });
  return names.length === 0 ? undefined : names.join(" ");
}
