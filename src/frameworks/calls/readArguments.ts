export type ReadArguments =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly message: string };

const none: ReadArguments = { ok: true, value: Object.freeze({}) };

/** The arguments of a call as an object. Models write them as JSON text, sometimes twice, and sometimes badly. */
export function readArguments(name: string, args: unknown): ReadArguments {
  let value = args;
  for (let unwrapped = 0; typeof value === "string" && unwrapped < 2; unwrapped++) {
    if (value.trim() === "") return none;
    try {
      value = JSON.parse(value);
    } catch (error) {
      const reason = error instanceof Error ? error.message.slice(0, 200) : "it cannot be read";
      return { ok: false, message: refusal(name, `are not valid JSON (${reason})`, args) };
    }
  }
  if (value === undefined || value === null) return none;
  if (typeof value === "object" && !Array.isArray(value))
    return { ok: true, value: value as Record<string, unknown> };
  return {
    ok: false,
    message: refusal(
      name,
      `must be one JSON object, not ${Array.isArray(value) ? "a list" : `a ${typeof value}`}`,
      args,
    ),
  };
}

function refusal(name: string, problem: string, args: unknown): string {
  const shown = (typeof args === "string" ? args : (JSON.stringify(args) ?? "")).slice(0, 200);
  return `The arguments of ${name} ${problem}: ${shown}\nNothing was run. Send the call again with the arguments as one JSON object.`;
}
