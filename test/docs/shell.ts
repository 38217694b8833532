/** A line of a shell as the commands in it, each as its words: pipes, lists, `<(…)` and comments are taken apart. */
export function commandsOf(line: string): string[][] {
  const found: string[][] = [];
  let words: string[] = [];
  let word: string | undefined;
  const endWord = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  const endCommand = (): void => {
    endWord();
    const command = words.filter((each, index) => !isAssignment(words, each, index));
    if (command.length > 0) found.push(command);
    words = [];
  };
  for (let at = 0; at < line.length; at++) {
    const sign = line[at]!;
    if (sign === "#" && word === undefined) break;
    if (sign === "'" || sign === '"') {
      const end = line.indexOf(sign, at + 1);
      if (end < 0) throw new Error(`a quote does not end: ${line}`);
      word = (word ?? "") + line.slice(at + 1, end);
      at = end;
    } else if (line.startsWith("<(", at)) {
      const end = line.indexOf(")", at);
      found.push(...commandsOf(line.slice(at + 2, end)));
      word = "<()";
      at = end;
    } else if (sign === " ") endWord();
    else if (sign === "|" || sign === ";" || sign === "&") endCommand();
    else word = (word ?? "") + sign;
  }
  endCommand();
  return found;
}

function isAssignment(words: readonly string[], word: string, index: number): boolean {
  return /^[A-Z_]+=/.test(word) && words.slice(0, index).every((each) => /^[A-Z_]+=/.test(each));
}
