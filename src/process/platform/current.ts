import { createLinux } from "./linux.js";
import type { Platform } from "./platform.js";
import { createPosix } from "./posix.js";
import { createWindows } from "./windows.js";

/** The platform this process runs on. */
export function currentPlatform(): Platform {
  if (process.platform === "win32") return createWindows();
  return process.platform === "linux" ? createLinux() : createPosix();
}
