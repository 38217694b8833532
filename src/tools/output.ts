import { checkOutput } from "./schemaCheck.js";
import type { OutputVerdict } from "./schemaCheck.js";
import type { ToolEntry } from "./entries.js";
import type { Rendered } from "./result.js";

/**
 * A rendered result after its check against the tool's outputSchema. `warn` keeps it and says what does not fit, `fail`
 * makes that an `invalid-result` that still holds text and content, `off` checks nothing. Failures are not checked
 * (MCP 2025-11-25, Tools: structured content). Asynchronous only for the first check of a process.
 */
export function withOutputCheck(
  rendered: Rendered,
  entry: ToolEntry,
  mode: "warn" | "fail" | "off",
): Rendered | Promise<Rendered> {
  if (mode === "off" || !rendered.ok || entry.tool.outputSchema === undefined) return rendered;
  if (rendered.structured === undefined) return judge(rendered, missing, entry, mode);
  const verdict = checkOutput(entry, rendered.structured);
  return verdict instanceof Promise
    ? verdict.then((later) => judge(rendered, later, entry, mode))
    : judge(rendered, verdict, entry, mode);
}

const missing: OutputVerdict = {
  kind: "mismatch",
  reasons: ["there is none"],
};

function judge(
  rendered: Rendered,
  verdict: OutputVerdict,
  entry: ToolEntry,
  mode: "warn" | "fail",
): Rendered {
  if (verdict.kind === "fits") return rendered;
  const said = verdict.reasons.join("; ");
  const warning =
    verdict.kind === "unchecked" ? said : `structuredContent does not fit outputSchema: ${said}`;
  const warnings = [...rendered.warnings, warning];
  if (verdict.kind === "unchecked" || mode === "warn") return { ...rendered, warnings };
  const message =
    `server "${entry.server}" answered the call of tool "${entry.tool.name}" with a result that does not fit ` +
    `its outputSchema: ${said}; the call ran. Set outputSchema to "warn" to take such results`;
  return { ...rendered, ok: false, warnings, failure: { kind: "invalid-result", message } };
}
