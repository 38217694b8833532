import { answer } from "./answers.mjs";

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  let out = "";
  for (const line of lines) {
    const text = answer(JSON.parse(line));
    if (text !== "") out += `${text}\n`;
  }
  if (out !== "") process.stdout.write(out);
});
