import { createLinux } from "./linux.js";
import type { Platform } from "./platform.js";

/** The platform this process runs on. */
export function currentPlatform(): Platform {
  return createLinux();
}
