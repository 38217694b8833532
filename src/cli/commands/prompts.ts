import type { Prompt, PromptText } from "../../index.js";
import { print, say } from "../context/context.js";
import type { Context } from "../context/context.js";
import { argumentOf, askOne, listEach } from "../fleet/library.js";
import type { Listed } from "../fleet/library.js";
import type { FleetFlags } from "../context/options.js";
import { table } from "../screen/table.js";
import { jsonText, visible, visibleLines } from "../screen/visible.js";

export interface PromptsFlags extends FleetFlags {
  /** `NAME=value` each. */
  readonly arg?: readonly string[];
  /** `NAME=value`: what the server suggests for this argument. */
  readonly complete?: string;
}

/** Lists prompts, fills one in, or completes one of its arguments. */
export async function prompts(
  context: Context,
  flags: PromptsFlags,
  server: string | undefined,
  name: string | undefined,
): Promise<number> {
  if (server === undefined || name === undefined)
    return listEach(
      context,
      flags,
      server,
      (handle) => handle.listPrompts(),
      (lists) => show(context, flags, lists),
    );
  const known = Object.fromEntries(
    (flags.arg ?? []).map((each) => argumentOf("--arg", each)).map((each) => [each.name, each.value]),
  );
  if (flags.complete === undefined)
    return askOne(
      context,
      flags,
      server,
      (handle) => handle.getPrompt(name, known),
      (prompt) => showText(context, prompt),
    );
  const argument = argumentOf("--complete", flags.complete);
  return askOne(
    context,
    flags,
    server,
    (handle) => handle.complete({ type: "ref/prompt", name }, argument, known),
    ({ values }) => values.forEach((value) => print(context, visible(value))),
  );
}

function show(context: Context, flags: PromptsFlags, lists: readonly Listed<Prompt>[]): void {
  if (flags.json) {
    const all = lists.flatMap(({ server, items }) => items.map((item) => ({ server, ...item })));
    const failures = lists.flatMap(({ server, failure }) =>
      failure === undefined ? [] : [{ server, failure }],
    );
    return print(context, jsonText({ prompts: all, failures }));
  }
  const rows = lists.flatMap(({ server, items }) => items.map((item) => row(server, item)));
  if (rows.length === 0) return say(context, "no prompts are offered");
  print(context, table(columns, rows, context.terminal.stdout.columns ?? 160).join("\n"));
}

const columns = [
  { title: "SERVER" },
  { title: "PROMPT", shrinkTo: 12 },
  { title: "ARGUMENTS", shrinkTo: 12 },
  { title: "DESCRIPTION", shrinkTo: 16 },
];

/** Only the name was looked at: whatever else a server sends may be anything. */
function row(server: string, prompt: Prompt) {
  const given: unknown = prompt.arguments;
  const names = Array.isArray(given) ? given.map(fieldsOf).map(argumentName) : [];
  const { title, description } = fieldsOf(prompt);
  const about = [title, description].find((each) => typeof each === "string") ?? "";
  return [server, prompt.name, names.join(", "), about].map((text) => ({ text: visible(text) }));
}

function argumentName({ name, required }: Readonly<Record<string, unknown>>): string {
  return `${typeof name === "string" ? name : ""}${required === true ? "" : "?"}`;
}

function showText(context: Context, { description, messages }: PromptText): void {
  if (description !== undefined) say(context, visible(description));
  for (const message of messages) {
    const { role, content } = fieldsOf(message);
    const { text, type } = fieldsOf(content);
    const shown = typeof text === "string" ? text : `(${typeof type === "string" ? type : "?"}; see --json)`;
    print(context, visibleLines(`${typeof role === "string" ? role : "?"}: ${shown}`));
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
