import { describe, expect, it } from "vitest";
import { approvalText } from "../../src/config/entries/approval.js";
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

describe("approvalText", () => {
  it("says in full what would run and what it gets to see", () => {
    const text = approvalText({
      transport: "stdio",
      command: "/bin/sh",
      args: ["-c", "touch x; sleep 30"],
      cwd: "sub",
      env: ["LD_PRELOAD", "ORDINARY"],
      dangerous: { LD_PRELOAD: "f00d" },
      headers: [],
      reads: ["AWS_PROFILE"],
      trusted: true,
      autoApprove: ["read"],
    });

    expect(text.split("\n")).toEqual([
      'runs: /bin/sh -c "touch x; sleep 30"',
      "in: sub",
      "sets: LD_PRELOAD, ORDINARY",
      "reads from your environment: AWS_PROFILE",
      "wants to be trusted, without questions for: read",
      "dropped unless approved by name: LD_PRELOAD",
    ]);
  });
});
