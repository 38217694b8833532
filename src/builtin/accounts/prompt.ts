import { AccountError } from "./errors.js";

/** Asks on the terminal without showing what is typed; reads a line where stdin is no terminal (pipes). */
export function askHidden(question: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(`${question}: `);
  return new Promise((resolve, reject) => {
    let typed = "";
    const end = (finish: () => void): void => {
      stdin.off("data", onData).off("end", onEnd);
      if (stdin.isTTY) stdin.setRawMode(false);
      stdin.pause();
      // A pipe whose writer stays would keep the process alive; a file has no handle to let go of.
      if ("unref" in stdin) stdin.unref();
      stderr.write("\n");
      finish();
    };
    const onEnd = (): void => end(() => resolve(typed.trim()));
    const onData = (chunk: string): void => {
      for (const key of chunk) {
        if (key === "\r" || key === "\n" || key === "\u0004") return onEnd();
        if (key === "\u0003") return end(() => reject(new AccountError("cancelled")));
        typed = key === "\u007F" || key === "\b" ? typed.slice(0, -1) : typed + key;
      }
    };
    if ("ref" in stdin) stdin.ref();
    if (stdin.isTTY) stdin.setRawMode(true);
    stdin.setEncoding("utf8").on("data", onData).once("end", onEnd).resume();
  });
}
