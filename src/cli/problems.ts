import type { ConfigProblem } from "../index.js";
import { visible } from "./visible.js";

/** One problem as compilers print them: `file:line:column: error: message (hint)`, on one line. */
export function problemLine(problem: ConfigProblem): string {
  const position = [problem.file, problem.line, problem.line === undefined ? undefined : problem.column];
  const place = position.filter((part) => part !== undefined).join(":");
  const subject = problem.server === undefined ? "" : `server "${problem.server}": `;
  const path =
    problem.path === undefined || problem.message.includes(problem.path) ? "" : ` (${problem.path})`;
  const hint = problem.hint === undefined ? "" : `; ${problem.hint}`;
  const mentions = problem.server !== undefined && problem.message.includes(problem.server);
  const text = `${problem.severity}: ${mentions ? "" : subject}${problem.message}${path}${hint}`;
  return visible(place === "" ? text : `${place}: ${text}`);
}

/** Whether a configuration has something in it that could not be used. */
export function hasErrors(problems: readonly ConfigProblem[]): boolean {
  return problems.some((problem) => problem.severity === "error");
}
