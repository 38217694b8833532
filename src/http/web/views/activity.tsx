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
    <aside class="activity" aria-label="Activity">
      <Approvals />
      <LiveCalls />
      <Consumers />
      <Feed />
    </aside>
  );
}

function Approvals(): JSX.Element | null {
  if (approvals.value.length === 0) return null;
  return (
    <section class="approvals" aria-label="Approvals" aria-live="polite" data-testid="approvals">
      <h2>
        Waiting for you <b>{approvals.value.length}</b>
      </h2>
      {approvals.value.map((request) => (
        <Approval key={request.id} request={request} />
      ))}
    </section>
  );
}

function Approval({ request }: { request: ApprovalRequest }): JSX.Element {
  const { id, server, tool, title, reason, difference = [], expiresAt } = request;
  return (
    <article data-approval={id}>
      <h3>
        <code>{visible(tool === "" ? server : `${server} · ${tool}`)}</code> {visible(title)}
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
            class={looks[decision] ?? ""}
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
const looks: Partial<Record<Decision, string>> = { allow: "primary", deny: "danger" };

/** Arguments as JSON; what an entry would run is text already. */
function asked(args: unknown): string {
  const isText = typeof args === "object" && args !== null && "command" in args;
  return isText && typeof args.command === "string" ? args.command : JSON.stringify(args, null, 2);
}

function LiveCalls(): JSX.Element {
  const calls = [...history.value.live.values()].slice(-6).toReversed();
  return (
    <section class="calls" aria-label="Live calls" data-testid="calls">
      <h2>
        Live calls <b>{history.value.live.size}</b>
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
