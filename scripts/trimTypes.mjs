// The last step of the compiler's part of `npm run build`: of the declarations in dist/ only those stay that a door of
// the package leads to (`exports` in package.json). All others describe what nobody can import.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname ?? dirname(new URL(import.meta.url).pathname), "..");
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const doors = Object.values(exports).flatMap((door) => (door.types === undefined ? [] : [door.types]));
const needed = new Set();

for (const door of doors) follow(resolve(root, door));
for (const name of readdirSync(join(root, "dist"), { recursive: true })) {
  const file = join(root, "dist", name);
  if (file.endsWith(".d.ts") && !needed.has(file)) rmSync(file);
}

function follow(file) {
  if (needed.has(file)) return;
  if (!existsSync(file)) throw new Error(`${file} is missing: a declaration refers to it`);
  needed.add(file);
  for (const [, what] of readFileSync(file, "utf8").matchAll(
    /(?:\bfrom\s+|\bimport\(\s*)["'](\.[^"']+)\.js["']/g,
  ))
    follow(resolve(dirname(file), `${what}.d.ts`));
}
