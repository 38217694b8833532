import { readFileSync, readdirSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export interface Asset {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".png": "image/png",
};

/** The dashboard as it was built into the package; none in a CommonJS bundle, where no module has an address. */
export function builtDashboard(): string | false {
  try {
    return fileURLToPath(new URL("../web/", import.meta.url));
  } catch {
    return false;
  }
}

/**
 * All files of a folder by URL path, read once: a request names a key of this map, never a path on disk.
 * Empty when the folder is not there. Hashed files may be kept for ever, the page itself is asked for each time.
 */
export function loadAssets(folder: string): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const file of filesOf(folder)) {
    const path = `/${relative(folder, file).split(sep).join("/")}`;
    const type = types[extname(file)];
    if (type === undefined) continue;
    const cache = path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
    assets.set(path, {
      body: new Uint8Array(readFileSync(file)),
      headers: { "content-type": type, "cache-control": cache },
    });
  }
  const page = assets.get("/index.html");
  if (page !== undefined) assets.set("/", page);
  return assets;
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
