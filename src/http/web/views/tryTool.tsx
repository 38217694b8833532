import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ToolDescriptor, ToolResult } from "../../../index.js";
import { callTool } from "../model/api.js";
import { argumentsOf, fieldsOf, type Field } from "../model/form.js";
import { duration, visible } from "../model/format.js";

type Outcome = { kind: "result"; result: ToolResult } | { kind: "failed"; message: string };

/** A form made from the tool's schema; permissions hold here as for anybody. */
export function TryTool({ tool }: { tool: ToolDescriptor }): JSX.Element {
  const fields = useMemo(() => fieldsOf(tool.inputSchema), [tool.inputSchema]);
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map());
  const [wrong, setWrong] = useState<ReadonlyMap<string, string>>(new Map());
  const [outcome, setOutcome] = useState<Outcome>();
  const [running, setRunning] = useState(false);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);

  const run = async (): Promise<void> => {
    const args = argumentsOf(tool.inputSchema, values);
    setWrong(args.ok ? new Map() : args.wrong);
    if (!args.ok) return;
    controller.current = new AbortController();
    setRunning(true);
    setOutcome(undefined);
    setOutcome(await outcomeOf(tool.name, args.value, controller.current.signal));
    setRunning(false);
  };

  return (
    <form
      class="try"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      {fields.map((field) => (
        <label key={field.name} class={field.kind === "boolean" ? "check" : ""}>
          <span>
            {field.name === "" ? null : <code>{visible(field.name)}</code>}
            {field.required ? <b title="required"> *</b> : null}
            <small>{visible(field.description)}</small>
          </span>
          <Input
            field={field}
            value={values.get(field.name) ?? field.initial}
            set={(text) => setValues(new Map(values).set(field.name, text))}
          />
          {wrong.has(field.name) ? <em role="alert">{wrong.get(field.name)}</em> : null}
        </label>
      ))}
      <div class="actions">
        <button type="submit" class="primary" disabled={running}>
          {running ? "Running …" : "Call"}
        </button>
        {running ? (
          <button type="button" onClick={() => controller.current?.abort()}>
            Cancel
          </button>
        ) : null}
        {running && tool.permission === "ask" ? <small>It may wait for an approval.</small> : null}
      </div>
      {outcome === undefined ? null : <Shown outcome={outcome} />}
    </form>
  );
}

function Input({
  field,
  value,
  set,
}: {
  field: Field;
  value: string;
  set: (text: string) => void;
}): JSX.Element {
  const name = `arg-${field.name}`;
  if (field.kind === "boolean") {
    return (
      <input
        name={name}
        type="checkbox"
        checked={value === "true"}
        onChange={(event) => set(String(event.currentTarget.checked))}
      />
    );
  }
  if (field.kind === "choice") {
    return (
      <select name={name} value={value} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">–</option>
        {field.choices.map((choice) => (
          <option key={choice} value={choice}>
            {visible(choice)}
          </option>
        ))}
      </select>
    );
  }
  if (field.kind === "long-text" || field.kind === "lines" || field.kind === "json") {
    const hint = { "long-text": "", lines: "one per line", json: "JSON" }[field.kind];
    return (
      <textarea
        name={name}
        rows={3}
        placeholder={hint}
        value={value}
        onInput={(event) => set(event.currentTarget.value)}
      />
    );
  }
  return (
    <input
      name={name}
      type="text"
      inputMode={field.kind === "text" ? "text" : "decimal"}
      value={value}
      autocomplete="off"
      onInput={(event) => set(event.currentTarget.value)}
    />
  );
}

function Shown({ outcome }: { outcome: Outcome }): JSX.Element {
  if (outcome.kind === "failed")
    return (
      <p class="result bad" role="status">
        {outcome.message}
      </p>
    );
  const { result } = outcome;
  return (
    <div class={`result ${result.ok ? "good" : "bad"}`} role="status" data-testid="result">
      <p>
        {result.ok ? "ok" : `${result.failure.kind}: ${visible(result.failure.message)}`}
        <small>
          {duration(result.call.durationMs)} · sent: {result.call.sent}
        </small>
      </p>
      {result.warnings.map((warning) => (
        <p key={warning} class="wait">
          {visible(warning)}
        </p>
      ))}
      <pre>{visible(result.text)}</pre>
      {result.structured === undefined ? null : (
        <pre>{visible(JSON.stringify(result.structured, null, 2))}</pre>
      )}
    </div>
  );
}

async function outcomeOf(name: string, args: unknown, signal: AbortSignal): Promise<Outcome> {
  try {
    return { kind: "result", result: await callTool(name, args, signal) };
  } catch (error) {
    if (signal.aborted) return { kind: "failed", message: "Cancelled." };
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}
