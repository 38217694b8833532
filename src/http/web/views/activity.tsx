import { computed } from "@preact/signals";
import type { JSX } from "preact";
import type { ApprovalRequest, Decision } from "../../../index.js";
import { answer } from "../model/actions.js";
import { duration, visible } from "../model/format.js";
import { approvals, history, now } from "../model/store.js";
import { Consumers } from "./consumers.js";
import { Feed } from "./feed.js";

/** What goes on now: questions first, then calls, then everything that was told. */
export function Activity(): JSX.Element {
  return (
    <section class="activity" aria-label="Activity">
      <Approvals />
      <LiveCalls />
      <Consumers />
      <Feed />
    </section>
  );
}

function Approvals(): JSX.Element | null {
  if (approvals.value.length === 0) return null;
  return (
    <section class="approvals" aria-label="Approvals" aria-live="polite" data-testid="approvals">
      <h2>
        Waiting for you <b>{approvals.value.length}</b>
      </h2>
      {groups.value.map(([key, requests]) => (
        <Group key={key} requests={requests} />
      ))}
    </section>
  );
}

const groups = computed(() => {
  const found = new Map<string, ApprovalRequest[]>();
  for (const request of approvals.value) {
    const key = `${request.server} · ${request.tool}`;
    found.set(key, [...(found.get(key) ?? []), request]);
  }
  return [...found];
});

/** Questions about one tool: the first in full, the others behind a line, and a way to deny them all. */
function Group({ requests }: { requests: readonly ApprovalRequest[] }): JSX.Element | null {
  const [first, ...others] = requests;
  if (first === undefined) return null;
  if (others.length === 0) return <Approval request={first} />;
  return (
    <>
      <Approval request={first} />
      <details class="more">
        <summary>{others.length} more of the same tool</summary>
        {others.map((request) => (
          <Approval key={request.id} request={request} />
        ))}
      </details>
      <button type="button" class="danger" onClick={() => void denyAll(requests)}>
        Deny all {requests.length}
      </button>
    </>
  );
}

async function denyAll(requests: readonly ApprovalRequest[]): Promise<void> {
  for (const { id } of requests) await answer(id, "deny");
}

/** What may destroy something does not look like the thing to press. */
function lookOf(decision: Decision, isDestructive: boolean): string {
  if (decision === "deny") return isDestructive ? "primary" : "danger";
  if (isDestructive) return "danger";
  return decision === "allow" ? "primary" : "";
}

function Approval({ request }: { request: ApprovalRequest }): JSX.Element {
  const { id, server, tool, title, reason, difference = [], expiresAt } = request;
  const isDestructive = request.kind === "call" && request.annotations.destructiveHint === true;
  return (
    <article
      data-approval={id}
      tabIndex={-1}
      aria-label={`Question about ${visible(tool === "" ? server : tool)}`}
    >
      <h3>
        <code>{visible(tool === "" ? server : `${server} · ${tool}`)}</code>{" "}
        {title === tool || title === server ? null : visible(title)}
        {isDestructive ? <b class="bad"> may destroy something</b> : null}
      </h3>
      <p>
        {visible(reason)} <small>{duration(Math.max(0, expiresAt - now.value))} left</small>
      </p>
      <pre aria-label={request.kind === "call" ? "Arguments" : "What it would run"}>
        {visible(asked(request.arguments))}
      </pre>
      {difference.map(({ field, before, after }) => (
        <div key={field} class="difference">
          <code>{visible(field)}</code>
          <del>{visible(before)}</del>
          <ins>{visible(after)}</ins>
        </div>
      ))}
      <div class="actions">
        {request.answers.map((decision) => (
          <button
            key={decision}
            type="button"
            class={lookOf(decision, isDestructive)}
            onClick={() => void answer(id, decision)}
          >
            {labels[decision]}
          </button>
        ))}
      </div>
    </article>
  );
}

const labels: Record<Decision, string> = {
  allow: "Allow once",
  "allow-for-session": "Allow for session",
  "allow-for-good": "Allow this version for good",
  deny: "Deny",
};

/** Arguments as JSON; what an entry would run is text already. */
function asked(args: unknown): string {
  const isText = typeof args === "object" && args !== null && "command" in args;
  return isText && typeof args.command === "string" ? args.command : JSON.stringify(args, null, 2);
}

function LiveCalls(): JSX.Element {
  // Those that wait for a person stand among the questions.
  const running = [...history.value.live.values()].filter(({ waits }) => waits === undefined);
  const calls = running.slice(-6).toReversed();
  return (
    <section class="calls" aria-label="Live calls" data-testid="calls">
      <h2>
        Live calls <b>{running.length}</b>
      </h2>
      {calls.length === 0 ? <p class="empty">No call is running.</p> : null}
      <ul>
        {calls.map((call) => (
          <li key={call.call}>
            <code>{visible(`${call.server} · ${call.tool}`)}</code>
            <span class="who">{visible(call.consumer ?? "")}</span>
            {call.progress === undefined ? (
              <span />
            ) : (
              <progress value={call.progress} max={call.total ?? Math.max(100, call.progress)} />
            )}
            <span class="time">{duration(Math.max(0, now.value - call.startedAt))}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
