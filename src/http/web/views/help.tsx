import type { JSX } from "preact";
import { helpOpen } from "../model/store.js";

const keys = [
  ["j k ↓ ↑", "next, previous server"],
  ["o t e", "overview, tools, error output"],
  ["⇧C ⇧D ⇧R", "connect, disconnect, restart"],
  ["a", "go to the first question"],
  ["s", "search servers"],
  ["/", "search tools"],
  ["f", "filter events"],
  ["?", "this help"],
] as const;

export function Help(): JSX.Element | null {
  if (!helpOpen.value) return null;
  return (
    <div class="shade" onClick={() => (helpOpen.value = false)}>
      <div class="help" role="dialog" aria-modal="true" aria-label="Keys" data-testid="help">
        <h2>Keys</h2>
        <dl>
          {keys.map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <p>
          Agents that use the API get the token in <code>agent.token</code> of the state folder: it calls
          tools, and neither decides nor edits.
        </p>
        <button type="button" autofocus onClick={() => (helpOpen.value = false)}>
          Close
        </button>
      </div>
    </div>
  );
}

/** Shown when the service does not know this browser. */
export function Locked({ problem }: { problem: string }): JSX.Element {
  return (
    <div class="locked" data-testid="locked">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" />
        <path d="M7 22V10l9 7 9-7v12" />
      </svg>
      <h1>This dashboard is locked</h1>
      <p>{problem === "" ? "Open it with a one-time link from the command line:" : problem}</p>
      <pre>mcpvisor open</pre>
    </div>
  );
}
