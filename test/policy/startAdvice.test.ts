import { describe, expect, it } from "vitest";
import { startAdvice } from "../../src/policy/startAdvice.js";

const exited = { kind: "exited-before-ready", message: "" } as const;
const silent = { kind: "connect-timeout", message: "" } as const;
const line = (text: string, env: Record<string, string> = {}) => {
  const [command = "", ...args] = text.split(" ");
  return { command, args, env };
};

describe("advice for a process that never became a server", () => {
  it.each([
    "docker run --rm example/server",
    "docker run -e TOKEN -v /a:/b example/server",
    "/usr/local/bin/podman run example/server",
    "docker.exe container run --rm example/server",
    "docker --context run run --rm example/server",
    "nerdctl exec box server",
    "sudo docker run --rm example/server",
  ])("names -i for %s", (text) => {
    expect(startAdvice(exited, line(text))).toContain("-i (--interactive)");
  });

  it.each([
    "docker run -i --rm example/server",
    "docker run --rm -it example/server",
    "podman run --interactive example/server",
    "docker run --rm --interactive=true example/server",
    "docker mcp gateway run",
    "docker compose run --rm server",
    "docker ps",
    "node run.mjs",
  ])("does not for %s", (text) => {
    expect(startAdvice(exited, line(text))).toBe("");
  });

  it.each([
    "python3 server.py",
    "/opt/venv/bin/python3.12 -m server",
    "uvx mcp-server-time",
    "uv run server.py",
    "poetry run server",
    "env A=1 python server.py",
    "py -3 server.py",
    "./server.py",
  ])("names the buffer of Python for %s", (text) => {
    const [command = "", ...args] = text.split(" ");
    const started = text.endsWith("/server.py")
      ? { command: "sh", args: [command], env: {} }
      : { command, args, env: {} };
    expect(startAdvice(silent, started)).toContain("PYTHONUNBUFFERED=1");
  });

  it.each([
    [line("python3 -u server.py")],
    [line("python3 -Iu server.py")],
    [line("python3 server.py", { PYTHONUNBUFFERED: "1" })],
    [line("env PYTHONUNBUFFERED=1 python3 server.py")],
    [line("node server.mjs")],
    [line("npx -y something")],
  ])("does not for %j", (started) => {
    expect(startAdvice(silent, started)).toBe("");
  });

  it("says nothing about other ends", () => {
    expect(startAdvice({ kind: "crashed", message: "" }, line("docker run x"))).toBe("");
    expect(startAdvice({ kind: "refused", message: "" }, line("python3 x.py"))).toBe("");
  });
});
