import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The package is a few large files; what measures a layer alone takes the modules of src/ from bench/dist, made here. */
export function buildApart() {
  const [script, folder] = ["../../scripts/bundle.mjs", "../dist"].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  execFileSync(process.execPath, [script, "--apart", folder], { stdio: "inherit" });
}
