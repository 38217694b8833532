import { describe, expect, it } from "vitest";
import { approvalText } from "../../src/config/entries/approvalText.js";
import { parseConfig } from "../../src/config/dialects/parse.js";
import { normalizeServer } from "../../src/config/entries/normalize.js";
import type { ServerConfig } from "../../src/config/entries/input.js";
import { viewOf } from "../../src/config/store/view.js";

function view(config: ServerConfig, secrets: string[] = []) {
  const { spec } = normalizeServer(config, { scope: "inline", secrets });
  return spec === undefined ? undefined : viewOf(spec);
}

describe("viewOf", () => {
  it("shows names of variables and no value, also where a value turns up elsewhere", () => {
    expect(
      view(
        {
          id: "a",
          command: "x",
          args: ["--key=tok-123456", "from-a-placeholder"],
          env: { K: "tok-123456", S: "1" },
          cwd: "/w",
        },
        ["from-a-placeholder"],
      ),
    ).toEqual({
      kind: "stdio",
      command: "x",
      args: ["--key=********", "********"],
      env: { K: "********", S: "********" },
      cwd: "/w",
      inherit: "safe",
      pass: [],
    });
  });

  it("shows a URL without the values of its query, and no header value", () => {
    expect(
      view({
        id: "a",
        url: "https://example.com/tok-123456/mcp?k=v",
        headers: { Authorization: "Bearer tok-123456" },
      }),
    ).toEqual({
      kind: "http",
      url: "https://example.com/********/mcp?k=********",
      headers: { Authorization: "********" },
    });
  });
});

function textOf(entry: object): string[] {
  const text = JSON.stringify({ mcpServers: { x: entry } });
  const context = { file: "/project/.mcp.json", scope: "project", node: "node", python: "python3" } as const;
  const { entries } = parseConfig(text, { ...context, env: {} });
  return approvalText(entries[0]!.subject, entries[0]!.written).split("\n");
}

describe("approvalText", () => {
  it("says in full what would run and what it gets to see, with the texts of the file", () => {
    const lines = textOf({
      command: "/bin/sh",
      args: ["-c", "touch x; sleep 30"],
      cwd: "sub",
      env: {
        LD_PRELOAD: "./evil.so",
        ORDINARY: "fine here",
        API_TOKEN: "hunter2-hunter2",
        OTHER_TOKEN: "${env:T:-x}",
      },
      inherit: "all",
      pass: ["AWS_PROFILE"],
      trusted: true,
      auto_approve: ["read"],
    });

    expect(lines).toEqual([
      'runs: /bin/sh -c "touch x; sleep 30"',
      "in: sub",
      expect.stringMatching(/^sets: API_TOKEN=\*{8} \(sha256 [0-9a-f]{12}\)$/),
      "sets: LD_PRELOAD=./evil.so",
      'sets: ORDINARY="fine here"',
      'sets: OTHER_TOKEN="${env:T:-x}"',
      "reads from your environment: AWS_PROFILE, T",
      "sees of your environment: everything, credentials too",
      "dropped unless approved by name: LD_PRELOAD",
    ]);
  });

  it("lets no text of the file look like a line of ours, and hides nothing behind its length (X13)", () => {
    const lines = textOf({
      command: "node",
      args: ["x".repeat(3000)],
      cwd: "sub\nruns: git status\u202e",
      env: { "A\nin: /usr": "1" },
    });

    expect(lines).toEqual([
      `runs: node ${"x".repeat(2000)}… (3000 characters)`,
      'in: "sub\\nruns: git status\\u{202e}"',
      'sets: "A\\nin: /usr"=1',
    ]);
  });
});
