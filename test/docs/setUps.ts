import type { Scratch } from "./scratch.js";

/** What a page takes for granted: files that are there, servers that are configured. */
export const setUps: Readonly<Record<string, (scratch: Scratch) => void>> = {
  "docs/cli.md": (scratch) => {
    scratch.write(".mcpvisor/notes.txt", "a note\n");
    scratch.write(
      ".mcpvisor/mcp.json",
      JSON.stringify({
        mcpServers: {
          files: { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."] },
        },
      }),
    );
    scratch.write(
      ".codex/config.toml",
      '[mcp_servers.memory]\ncommand = "npx"\nargs = ["-y", "some-server"]\n',
    );
    scratch.write(
      ".vscode/mcp.json",
      JSON.stringify({ servers: { search: { type: "stdio", command: "search" } } }),
    );
  },
};
