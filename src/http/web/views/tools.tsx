import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ToolDescriptor } from "../../../index.js";
import { visible } from "../model/format.js";
import { TryTool } from "./tryTool.js";

export const toolSearch = signal("");

/** Tools with permission and pin; one opens to show its schema and to be tried. */
export function Tools({ tools }: { tools: readonly ToolDescriptor[] }): JSX.Element {
  const [open, setOpen] = useState<string>();
  const words = toolSearch.value.toLowerCase();
  const shown = tools.filter((tool) => `${tool.name} ${tool.description}`.toLowerCase().includes(words));
  return (
    <section class="tools" aria-label="Tools">
      <input
        type="search"
        id="tool-search"
        placeholder="Search tools  ( / )"
        aria-label="Search tools"
        value={toolSearch.value}
        onInput={(event) => (toolSearch.value = event.currentTarget.value)}
      />
      <ul data-testid="tools">
        {shown.map((tool) => (
          <li key={tool.name} class={open === tool.name ? "open" : ""}>
            <button
              type="button"
              class="head"
              aria-expanded={open === tool.name}
              onClick={() => setOpen(open === tool.name ? undefined : tool.name)}
            >
              <code>{visible(tool.tool)}</code>
              <span class={`tag ${tool.permission}`}>{tool.permission}</span>
              {tool.pin === "pinned" ? null : <span class={`tag pin-${tool.pin}`}>{tool.pin}</span>}
              {tool.cached === true ? <span class="tag">from cache</span> : null}
              <Hints tool={tool} />
              <span class="about">{firstLine(visible(tool.description))}</span>
            </button>
            {open === tool.name ? <Detail tool={tool} /> : null}
          </li>
        ))}
      </ul>
      {shown.length === 0 ? (
        <p class="empty">{tools.length === 0 ? "It offers no tools now." : "No tool matches."}</p>
      ) : null}
    </section>
  );
}

function Hints({ tool: { annotations } }: { tool: ToolDescriptor }): JSX.Element {
  return (
    <>
      {annotations.readOnlyHint === true ? <span class="tag hint">read-only</span> : null}
      {annotations.destructiveHint === true ? <span class="tag hint">destructive</span> : null}
      {annotations.idempotentHint === true ? <span class="tag hint">idempotent</span> : null}
    </>
  );
}

function Detail({ tool }: { tool: ToolDescriptor }): JSX.Element {
  return (
    <div class="detail">
      <p>{visible(tool.description)}</p>
      <p class="public">
        Agents call it <code>{tool.name}</code>.
      </p>
      <TryTool tool={tool} />
      <details>
        <summary>Schema</summary>
        <pre>{visible(JSON.stringify(tool.inputSchema, null, 2))}</pre>
        {tool.outputSchema === undefined ? null : (
          <pre>{visible(JSON.stringify(tool.outputSchema, null, 2))}</pre>
        )}
      </details>
    </div>
  );
}

function firstLine(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  return line.length > 140 ? `${line.slice(0, 139)}…` : line;
}
