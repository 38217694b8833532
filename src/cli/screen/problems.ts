import type { ConfigProblem } from "../../index.js";
import { visible } from "./visible.js";

/** One problem as compilers print them: `file:line:column: error: message (hint)`, on one line. */
export function problemLine(problem: ConfigProblem): string {
  const position = [problem.file, problem.line, problem.line === undefined ? undefined : problem.column];
  const place = position.filter((part) => part !== undefined).join(":");
  const hint = problem.hint === undefined ? "" : `; ${problem.hint}`;
  const text = `${problem.severity}: ${subjectOf(problem)}${problem.message}${hint}`;
  return visible(place === "" ? text : `${place}: ${text}`);
}

/** Messages are said of the field where there is one, which names its server too, and of the server otherwise. */
function subjectOf({ message, path, server }: ConfigProblem): string {
  if (path !== undefined) return message.includes(path) ? "" : `${path} `;
  return server === undefined || message.includes(server) ? "" : `server "${server}": `;
}

/** Whether a configuration has something in it that could not be used. */
export function hasErrors(problems: readonly ConfigProblem[]): boolean {
  return problems.some((problem) => problem.severity === "error");
}
