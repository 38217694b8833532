// What the output of one acceptance program means. Pure: lines, its exit code and the documented choices in, a verdict out.

/** The objects among the lines of a program; a line that is none is the program's own text and counts for nothing. */
function objects(output) {
  return output.split("\n").flatMap((line) => {
    if (!line.startsWith("{")) return [];
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

/**
 * The verdict on one program.
 *
 * @param run `file`, `output` (its stdout), `code` (undefined: it was ended at its limit) and `errors` (its stderr).
 * @param choices the documented choices: `{case, check, reason, docs}`; with `sometimes`, the check may be right as well.
 * @returns `ok`: checks that are right; `chosen`: wrong ones that are documented choices; `problems`: one text for each thing
 * that is neither; `skipped`: why the program did not run here, if it says so.
 */
export function judge({ file, output, code, errors = "" }, choices) {
  const said = objects(output);
  const checks = said.filter((each) => typeof each.check === "string");
  const mine = choices.filter((choice) => choice.case === file);
  const isChosen = ({ check }) => mine.some((choice) => choice.check === check);
  const wrong = checks.filter((each) => each.ok !== true);
  const skipped = said.find((each) => each.note === "not run")?.seen;
  const problems = wrong.filter((each) => !isChosen(each)).map((each) => `${each.check}: ${each.seen ?? ""}`);
  if (skipped === undefined) {
    for (const choice of mine)
      if (!(choice.sometimes ? checks : wrong).some(({ check }) => check === choice.check))
        problems.push(`the documented choice "${choice.check}" no longer applies: take it out of the table`);
    if (checks.length === 0) problems.push(`it judged nothing: ${errors.trim().slice(-600)}`);
    if (code === undefined) problems.push("it did not end within its limit");
    else if (code !== 0 && wrong.length === 0)
      problems.push(`it ended with ${code}: ${errors.trim().slice(-600)}`);
  }
  return {
    ok: checks.length - wrong.length,
    chosen: wrong.filter(isChosen).length,
    problems,
    ...(skipped === undefined || checks.length > 0 ? {} : { skipped: String(skipped) }),
  };
}

/** Choices that no program answers for: they pin nothing and would stay for ever. */
export function orphans(choices, files) {
  return choices
    .filter((choice) => !files.includes(choice.case))
    .map((choice) => `${choice.case}: no such program`);
}
