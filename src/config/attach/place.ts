import { posix, win32 } from "node:path";
import type { AttachHost } from "./hosts.js";

/** Where this is asked from. */
export interface Where {
  readonly platform: NodeJS.Platform;
  /** The person's home folder. */
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Files in which a host looks for servers of the user, the usual one first: of several the first that exists is
 * written, else the first.
 */
export function userFiles(host: AttachHost, { platform, userHome, env }: Where): readonly string[] {
  const paths = platform === "win32" ? win32 : posix;
  const join = (...parts: readonly string[]): string => paths.join(...parts);
  const roaming = env["APPDATA"] ?? join(userHome, "AppData", "Roaming");
  const config = env["XDG_CONFIG_HOME"] ?? join(userHome, ".config");
  /** The folder in which programs with a window keep what is theirs. */
  const programs =
    platform === "win32"
      ? roaming
      : platform === "darwin"
        ? join(userHome, "Library", "Application Support")
        : config;
  switch (host) {
    case "claude-code": {
      const own = env["CLAUDE_CONFIG_DIR"];
      return [own === undefined ? join(userHome, ".claude.json") : join(own, ".claude.json")];
    }
    case "claude-desktop":
      return [join(programs, "Claude", "claude_desktop_config.json")];
    case "cursor":
      return [join(userHome, ".cursor", "mcp.json")];
    case "vscode":
      return [join(programs, "Code", "User", "mcp.json")];
    case "codex":
      return [join(env["CODEX_HOME"] ?? join(userHome, ".codex"), "config.toml")];
    case "gemini":
      return [join(userHome, ".gemini", "settings.json")];
    case "opencode": {
      const named = env["OPENCODE_CONFIG"];
      if (named !== undefined && named !== "") return [named];
      const folder = join(config, "opencode");
      return [join(folder, "opencode.json"), join(folder, "opencode.jsonc")];
    }
    case "zed":
      return [
        join(platform === "win32" ? roaming : config, platform === "win32" ? "Zed" : "zed", "settings.json"),
      ];
    case "windsurf":
      return [join(userHome, ".codeium", "windsurf", "mcp_config.json")];
  }
}

/** The same for one project; undefined where a host has no file of a project. */
export function projectFile(host: AttachHost): string | undefined {
  switch (host) {
    case "claude-code":
      return ".mcp.json";
    case "cursor":
      return ".cursor/mcp.json";
    case "vscode":
      return ".vscode/mcp.json";
    case "codex":
      return ".codex/config.toml";
    case "gemini":
      return ".gemini/settings.json";
    case "opencode":
      return "opencode.json";
    case "zed":
      return ".zed/settings.json";
    case "claude-desktop":
    case "windsurf":
      return undefined;
  }
}
