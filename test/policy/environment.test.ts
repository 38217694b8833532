import { describe, expect, it } from "vitest";
import type { Scope, StdioTarget } from "../../src/spec.js";
import { isDangerousName } from "../../src/policy/dangerous.js";
import { childEnvironment } from "../../src/policy/environment.js";
import { needed, secretLooking } from "./environment.corpus.js";

const plain: StdioTarget = { kind: "stdio", command: "x", args: [], env: {}, inherit: "safe", pass: [] };

function child(
  parent: Record<string, string>,
  target: Partial<StdioTarget> = {},
  options: { trusted?: boolean; scope?: Scope; platform?: string } = {},
) {
  const spec = {
    trusted: options.trusted ?? true,
    scope: options.scope ?? "user",
    target: { ...plain, ...target },
  };
  return childEnvironment(parent, spec, options.platform ?? "linux");
}

describe("the environment of a child", () => {
  it("passes on ours without what looks like a credential, and names what it removed", () => {
    const parent = {
      PATH: "/bin",
      HOME: "/home/me",
      EDITOR: "vi",
      GITHUB_TOKEN: "x",
      AWS_SECRET_ACCESS_KEY: "y",
    };

    expect(child(parent)).toEqual({
      env: { PATH: "/bin", HOME: "/home/me", EDITOR: "vi" },
      removed: ["AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN"],
      dropped: [],
    });
  });

  it("lets the entry's own variables win and keeps the rest beside them (C026)", () => {
    const parent = { PATH: "/bin", HOME: "/home/me" };

    expect(child(parent, { env: { FOO: "bar" } }).env).toEqual({
      PATH: "/bin",
      HOME: "/home/me",
      FOO: "bar",
    });
    expect(child(parent, { env: { PATH: "/x" } }).env).toEqual({ PATH: "/x", HOME: "/home/me" });
    expect(child({}, { env: { API_TOKEN: "given on purpose" } }).env).toEqual({
      API_TOKEN: "given on purpose",
    });
  });

  it("ignores the case of names on Windows, and only there", () => {
    const windows = { platform: "win32" };

    expect(child({ Path: "C:\\a", "=C:": "C:\\" }, { env: { PATH: "C:\\b" } }, windows).env).toEqual({
      PATH: "C:\\b",
    });
    expect(child({ Api_Token: "t" }, { pass: ["API_TOKEN"] }, windows).env).toEqual({ Api_Token: "t" });
    expect(child({ Path: "/a" }, { env: { PATH: "/b" } }).env).toEqual({ Path: "/a", PATH: "/b" });
  });

  it.each(secretLooking)("keeps %s from the child", (name, value) => {
    expect(child({ [name]: value }).removed).toEqual([name]);
  });

  it.each(needed)("passes %s on", (name, value) => {
    expect(child({ [name]: value }).env).toEqual({ [name]: value });
  });

  it("removes variables whose value is a credential whatever their name", () => {
    const parent = {
      BACKEND: "postgres://app:hunter22@db/x",
      SETTINGS: "Server=db;User=me;Password=hunter22",
      BLOB: "-----BEGIN RSA PRIVATE KEY-----\nabc",
      GH: "ghp_0123456789abcdefghij",
      HOMEPAGE: "https://example.com/a:b@c",
    };

    expect(child(parent)).toMatchObject({
      env: { HOMEPAGE: "https://example.com/a:b@c" },
      removed: ["BACKEND", "BLOB", "GH", "SETTINGS"],
    });
  });

  it("passes a proxy with a password to trusted servers only", () => {
    const parent = { HTTPS_PROXY: "http://me:pw@proxy:8080", NO_PROXY: "localhost" };

    expect(child(parent).removed).toEqual([]);
    expect(child(parent, {}, { trusted: false })).toMatchObject({
      env: { NO_PROXY: "localhost" },
      removed: ["HTTPS_PROXY"],
    });
  });

  it("obeys inherit and pass", () => {
    const parent = { PATH: "/bin", EDITOR: "vi", MY_TOKEN: "t" };

    expect(child(parent, { inherit: "all" }).env).toEqual(parent);
    expect(child(parent, { inherit: "minimal" }).env).toEqual({ PATH: "/bin" });
    expect(child(parent, { inherit: "minimal", pass: ["MY_TOKEN"] }).env).toEqual({
      PATH: "/bin",
      MY_TOKEN: "t",
    });
  });

  it("gives untrusted servers the minimum, whatever they ask for", () => {
    const parent = { PATH: "/bin", EDITOR: "vi", LC_ALL: "C", MY_TOKEN: "t" };

    for (const inherit of ["safe", "minimal", "all"] as const) {
      expect(child(parent, { inherit }, { trusted: false }).env).toEqual({ PATH: "/bin", LC_ALL: "C" });
    }
  });

  it("drops dangerous variables of a project entry in any case, trusted or not, unless approved by name (C092)", () => {
    const env = {
      LD_PRELOAD: "./evil.so",
      LD_AUDIT: "./evil.so",
      DYLD_INSERT_LIBRARIES: "./evil.dylib",
      NODE_OPTIONS: "--require ./evil.cjs",
      PYTHONSTARTUP: "./evil.py",
      BASH_ENV: "./evil.sh",
      node_options: "lower case",
      ORDINARY: "fine",
    };

    expect(child({}, { env }, { scope: "project" })).toEqual({
      env: { ORDINARY: "fine" },
      removed: [],
      dropped: [
        "BASH_ENV",
        "DYLD_INSERT_LIBRARIES",
        "LD_AUDIT",
        "LD_PRELOAD",
        "NODE_OPTIONS",
        "PYTHONSTARTUP",
        "node_options",
      ],
    });
    expect(child({}, { env, approvedEnv: ["BASH_ENV"] }, { scope: "project" }).env).toEqual({
      ORDINARY: "fine",
      BASH_ENV: "./evil.sh",
    });
    expect(child({}, { env }).env).toEqual(env);
    expect(child({}, { env }, { trusted: false }).env).toEqual(env);
  });

  it.each([
    ["node_options", "node_options"],
    ["node_options", "NODE_OPTIONS"],
    ["Node_Options", "node_options"],
    ["NODE_OPTIONS", "node_options"],
  ])("lets %s of a project entry through that was approved as %s", (written, approved) => {
    expect(child({}, { env: { [written]: "-r x" }, approvedEnv: [approved] }, { scope: "project" })).toEqual({
      env: { [written]: "-r x" },
      removed: [],
      dropped: [],
    });
  });

  it.each([
    "PATH",
    "Path",
    "npm_config_registry",
    "GIT_SSH_COMMAND",
    "JAVA_TOOL_OPTIONS",
    "PYTHONPATH",
    "BASH_FUNC_x%%",
    ...(
      "HOME XDG_CONFIG_HOME OPENSSL_CONF PYTHONPYCACHEPREFIX PYTHONEXECUTABLE LUA_INIT LUA_PATH GIT_ASKPASS GIT_EDITOR " +
      "GIT_PAGER PIP_CONFIG_FILE PIP_FIND_LINKS UV_CONFIG_FILE RUSTC_WRAPPER GOFLAGS BUNDLE_GEMFILE KUBECONFIG DOCKER_HOST " +
      "NODE_TLS_REJECT_UNAUTHORIZED NODE_EXTRA_CA_CERTS MCPVISOR_HOME MCPVISOR_GITHUB_URL HTTPS_PROXY SSL_CERT_FILE EDITOR " +
      "AWS_CONFIG_FILE CURL_HOME MAVEN_OPTS GRADLE_OPTS CARGO_HOME PHPRC R_PROFILE_USER DENO_DIR ELECTRON_RUN_AS_NODE"
    ).split(" "),
  ])("counts %s as dangerous", (name) => {
    expect(isDangerousName(name)).toBe(true);
  });

  it.each([
    "ORDINARY",
    "GOAL",
    "RUNNER",
    "PATHOLOGY",
    "HOMEPAGE",
    "GIT_AUTHOR_NAME",
    "NODE_ENV",
    "PYTHONUNBUFFERED",
  ])("does not count %s so", (name) => {
    expect(isDangerousName(name)).toBe(false);
  });

  it("leaves everything else as it is: words, blanks, other variables, and what is not set", () => {
    expect(child({ NODE_OPTIONS: "--a   --b", ARGS: "--inspect  x" }).env).toEqual({
      NODE_OPTIONS: "--a   --b",
      ARGS: "--inspect  x",
    });
    expect(child({ node_options: "--inspect --a" }).env).toEqual({ node_options: "--a" });
    expect(child({ EMPTY: undefined } as never)).toEqual({ env: {}, removed: [], dropped: [] });
    expect(child({ EMPTY: "" }).env).toEqual({ EMPTY: "" });
  });

  it("keeps variables of different names apart on Windows", () => {
    const windows = { platform: "win32" };

    expect(child({ Path: "a", TEMP: "b" }, { env: { FOO: "c", BAR: "d" } }, windows).env).toEqual({
      Path: "a",
      TEMP: "b",
      FOO: "c",
      BAR: "d",
    });
  });

  it.each([
    ["AWS_SECRET_ACCESS_KEY", false],
    ["NPM_TOKEN", false],
    ["GIT_CONFIG_KEY_0", true],
    ["LD_KEY", true],
    ["DYLD_AUTH", true],
    ["AWS_PROFILE", true],
  ])("takes a credential for data unless the loader or git reads it: %s is dangerous: %s", (name, isOne) => {
    expect(isDangerousName(name)).toBe(isOne);
  });

  it.each([
    ["--inspect-port=9230 --trace-warnings", "--trace-warnings"],
    ["--inspect-publish-uid http --a", "--a"],
    ["--inspect-wait --a", "--a"],
    ["--inspect", undefined],
    ["--inspect-brk=0.0.0.0:9229 --max-old-space-size=99", "--max-old-space-size=99"],
    ['--require "./a b.js" --inspect=1', '--require "./a b.js"'],
    ["--inspect-port 9230 --trace-warnings", "--trace-warnings"],
    ["--enable-source-maps", "--enable-source-maps"],
  ])("strips the debugger from NODE_OPTIONS=%s", (before, after) => {
    expect(child({ NODE_OPTIONS: before }).env["NODE_OPTIONS"]).toBe(after);
    expect(child({ NODE_OPTIONS: before }, { inherit: "all" }).env["NODE_OPTIONS"]).toBe(after);
  });

  it("treats a variable named __proto__ as any other", () => {
    const { env } = child(JSON.parse('{"__proto__":"x"}') as Record<string, string>);

    expect(Object.entries(env)).toEqual([["__proto__", "x"]]);
  });
});
