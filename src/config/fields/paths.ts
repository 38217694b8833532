/** Whether a path is absolute, in the way of POSIX or of Windows. */
export function isAbsolutePath(path: string): boolean {
  return path.startsWith("/") || /^(?:[a-z]:[\\/]|\\\\)/i.test(path);
}

/** A path as seen from a folder; absolute ones, and any path without a folder, stay as they are. */
export function joinPath(folder: string | undefined, path: string): string {
  if (folder === undefined || isAbsolutePath(path)) return path;
  const rest = path.replace(/^(?:\.[\\/]+)+/, "");
  if (rest === "" || rest === ".") return folder;
  const separator = folder.includes("\\") && !folder.includes("/") ? "\\" : "/";
  return folder.replace(/[\\/]+$/, "") + separator + rest;
}

/** The folder a file lies in. */
export function folderOf(file: string): string {
  const folder = file.replace(/[\\/]+[^\\/]*$/, "");
  if (folder === file) return ".";
  return folder === "" ? "/" : folder;
}
