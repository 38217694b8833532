/**
 * How cmd.exe reads one command line, as far as it matters here: outside quotes `^` takes the next character as it is,
 * and an unescaped operator would end the command (here: an error). Percent signs are left alone when nothing between
 * two of them is the name of a variable.
 */
export function readByCmd(line: string): { file: string; rest: string } {
  let text = "";
  let quoted = false;
  let fileEnd = -1;
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (!quoted && character === "^") {
      at++;
      text += line[at] ?? "";
      continue;
    }
    if (character === '"') quoted = !quoted;
    else if (!quoted && /[&|<>()]/.test(character))
      throw new Error(`cmd.exe would act on ${character} in ${line}`);
    if (!quoted && character === " " && fileEnd < 0) fileEnd = text.length;
    text += character;
  }
  for (const [, name] of line.matchAll(/%([^%]+)%/g)) {
    if (name === "PATH") throw new Error(`cmd.exe would expand %${name}% in ${line}`);
  }
  return fileEnd < 0
    ? { file: text, rest: "" }
    : { file: text.slice(0, fileEnd), rest: text.slice(fileEnd + 1) };
}

/** How the C run time of a Windows program splits its command line (backslashes count before a quote only). */
export function readArguments(line: string): string[] {
  const found: string[] = [];
  let at = 0;
  while (at < line.length) {
    while (line[at] === " ") at++;
    if (at >= line.length) break;
    let arg = "";
    let quoted = false;
    for (; at < line.length && (quoted || line[at] !== " "); at++) {
      const slashes = /^\\*/.exec(line.slice(at))![0].length;
      if (line[at + slashes] === '"') {
        arg += "\\".repeat(Math.floor(slashes / 2));
        at += slashes;
        if (slashes % 2 === 1) arg += '"';
        else quoted = !quoted;
      } else if (slashes > 0) {
        arg += "\\".repeat(slashes);
        at += slashes - 1;
      } else {
        arg += line[at]!;
      }
    }
    found.push(arg);
  }
  return found;
}
