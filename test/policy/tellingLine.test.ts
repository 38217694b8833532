import { describe, expect, it } from "vitest";
import { endings } from "../../src/policy/endings.js";
import { tellingLine } from "../../src/policy/tellingLine.js";

/** What real programs write when they fail, whole; the line that tells why, and a word of the advice. */
const written: readonly [string, string, string, string?][] = [
  [
    "a file that is not there (Node)",
    `node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module '/srv/nothing.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at Module._load (node:internal/modules/cjs/loader:1038:27)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2`,
    "Error: Cannot find module '/srv/nothing.js'",
    "correct the path in `args`",
  ],
  [
    "a package that is not there (Node, ES modules)",
    `node:internal/modules/esm/resolve:873
  throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);
        ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /srv/index.mjs
    at packageResolve (node:internal/modules/esm/resolve:873:9) {
  code: 'ERR_MODULE_NOT_FOUND'
}

Node.js v22.23.5`,
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /srv/index.mjs",
    "is not there",
  ],
  [
    "a throw of its own",
    `/srv/index.js:3
    throw new TypeError("no region");
    ^

TypeError: no region
    at main (/srv/index.js:3:11)
    at Object.<anonymous> (/srv/index.js:5:1)

Node.js v20.20.2`,
    "TypeError: no region",
  ],
  [
    "a package that npm does not have",
    `npm error code E404
npm error 404 Not Found - GET https://registry.npmjs.org/no-such-server - Not found
npm error 404
npm error 404  'no-such-server@*' is not in this registry.
npm error 404
npm error 404 Note that you can also install from a
npm error 404 tarball, folder, http url, or git folder.
npm error A complete log of this run can be found in: /home/me/.npm/_logs/2026-11-30T10_00_00_000Z-debug-0.log`,
    "npm error 404  'no-such-server@*' is not in this registry.",
    "npm has no such package",
  ],
  [
    "a version that npm does not have",
    `npm error code ETARGET
npm error notarget No matching version found for left-pad@99.0.0.
npm error notarget In most cases you or one of your dependencies are requesting
npm error notarget a package version that doesn't exist.
npm error A complete log of this run can be found in: /home/me/.npm/_logs/x.log`,
    "npm error notarget No matching version found for left-pad@99.0.0.",
    "not that version",
  ],
  [
    "a registry out of reach",
    `npm error code ENOTFOUND
npm error syscall getaddrinfo
npm error errno ENOTFOUND
npm error network request to https://registry.npmjs.org/x failed, reason: getaddrinfo ENOTFOUND registry.npmjs.org
npm error network This is a problem related to network connectivity.
npm error A complete log of this run can be found in: /x/_logs/y.log`,
    "npm error network request to https://registry.npmjs.org/x failed, reason: getaddrinfo ENOTFOUND registry.npmjs.org",
    "could not reach its registry",
  ],
  [
    "a package without a program",
    "npm error could not determine executable to run",
    "npm error could not determine executable to run",
    "no program to run",
  ],
  [
    "a registry that wants a login",
    "npm error code E401\nnpm error Incorrect or missing password.",
    "npm error code E401",
    "npm login",
  ],
  [
    "a Python module",
    `Traceback (most recent call last):
  File "/srv/main.py", line 1, in <module>
    import mcp
ModuleNotFoundError: No module named 'mcp'`,
    "ModuleNotFoundError: No module named 'mcp'",
    "Python environment",
  ],
  [
    "a Python script",
    "python3: can't open file '/srv/x.py': [Errno 2] No such file or directory",
    "python3: can't open file '/srv/x.py': [Errno 2] No such file or directory",
    "script is not there",
  ],
  [
    "a package that PyPI does not have",
    `  × No solution found when resolving tool dependencies:
  ╰─▶ Because no-such-mcp was not found in the package registry and you require
      no-such-mcp, we can conclude that your requirements are unsatisfiable.`,
    "╰─▶ Because no-such-mcp was not found in the package registry and you require",
    "PyPI has no such package",
  ],
  [
    "a Python that is not there",
    "error: No interpreter found for Python 3.13 in managed installations",
    "error: No interpreter found for Python 3.13 in managed installations",
    "Python version",
  ],
  [
    "Docker that does not run",
    "docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?\n\nRun 'docker run --help' for more information",
    "docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
    "start Docker",
  ],
  [
    "an image that is not there",
    `Unable to find image 'mcp/none:latest' locally
docker: Error response from daemon: pull access denied for mcp/none, repository does not exist or may require 'docker login'.

Run 'docker run --help' for more information`,
    "docker: Error response from daemon: pull access denied for mcp/none, repository does not exist or may require 'docker login'.",
    "image cannot be had",
  ],
  [
    "a variable",
    "Starting server\nError: GITHUB_TOKEN is required\n    at main (index.js:3:1)",
    "Error: GITHUB_TOKEN is required",
    "set that variable",
  ],
  [
    "a variable, in other words",
    "Please set SLACK_BOT_TOKEN and SLACK_TEAM_ID environment variables",
    "Please set SLACK_BOT_TOKEN and SLACK_TEAM_ID environment variables",
    "set that variable",
  ],
  [
    "a port that is taken",
    `Error: listen EADDRINUSE: address already in use :::3000
    at Server.setupListenHandle [as _listen2] (node:net:1817:16) {
  code: 'EADDRINUSE',
  errno: -98,
  syscall: 'listen',
  address: '::',
  port: 3000
}

Node.js v20.20.2`,
    "Error: listen EADDRINUSE: address already in use :::3000",
    "another program has that port",
  ],
  [
    "a full disk",
    "OSError: [Errno 28] No space left on device: '/data/x'",
    "OSError: [Errno 28] No space left on device: '/data/x'",
    "disk is full",
  ],
  [
    "no memory",
    `<--- Last few GCs --->

FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory
----- Native stack trace -----
`,
    "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
    "more memory",
  ],
  [
    "a certificate",
    "Error: self-signed certificate in certificate chain\n    at TLSSocket.onConnectSecure (node:_tls_wrap:1674:34)",
    "Error: self-signed certificate in certificate chain",
    "certificate",
  ],
  [
    "credentials",
    "GitHub API error: 401 Unauthorized",
    "GitHub API error: 401 Unauthorized",
    "check the token",
  ],
  [
    "a database that is down",
    "Error: connect ECONNREFUSED 127.0.0.1:5432",
    "Error: connect ECONNREFUSED 127.0.0.1:5432",
    "is not running",
  ],
  [
    "a host that has no address",
    'psycopg2.OperationalError: could not translate host name "db" to address: Name or service not known',
    'psycopg2.OperationalError: could not translate host name "db" to address: Name or service not known',
    "cannot find a host",
  ],
  [
    "another machine's program",
    "/srv/server: cannot execute binary file: Exec format error",
    "/srv/server: cannot execute binary file: Exec format error",
    "another system",
  ],
  [
    "rights of Deno",
    'error: Uncaught (in promise) NotCapable: Requires net access to "api.example.com:443", run again with the --allow-net flag',
    'error: Uncaught (in promise) NotCapable: Requires net access to "api.example.com:443", run again with the --allow-net flag',
    "Deno",
  ],
  [
    "an option",
    "usage: server [-h] --root ROOT\nserver: error: unrecognized arguments: --rot",
    "server: error: unrecognized arguments: --rot",
    "does not know one of its `args`",
  ],
  ["a program that it starts", "sh: 1: uvx: not found", "sh: 1: uvx: not found", "not installed"],
  [
    "rights",
    "Error: EACCES: permission denied, open '/root/x'",
    "Error: EACCES: permission denied, open '/root/x'",
    "check its rights",
  ],
  [
    "a folder",
    "Error: ENOENT: no such file or directory, stat '/data/none'",
    "Error: ENOENT: no such file or directory, stat '/data/none'",
    "is not there",
  ],
  [
    "an old Node",
    "/srv/index.js:1\nimport x from 'y' with { type: 'json' };\n                  ^^^^\n\nSyntaxError: Unexpected token 'with'\n    at wrapSafe (node:internal)\n\nNode.js v18.0.0",
    "SyntaxError: Unexpected token 'with'",
    "newer version",
  ],
  [
    "Go",
    "2026/11/30 10:00:00 listening\npanic: runtime error: index out of range [3] with length 2\n\ngoroutine 1 [running]:",
    "panic: runtime error: index out of range [3] with length 2",
  ],
  ["plain words", "loading\nregion is missing", "region is missing"],
  ["nothing but noise", "Node.js v20.20.2", "Node.js v20.20.2"],
];

describe("the line that tells why a process ended", () => {
  it.each(written)("is the error, not what stands around it: %s", (_, stderr, line, advice) => {
    const told = tellingLine(stderr.split("\n").filter((each) => each.trim() !== ""));

    expect(told?.line).toBe(line);
    expect(told?.advice ?? "none").toContain(advice ?? "none");
  });

  it("is none where nothing was written, and never a long one", () => {
    expect(tellingLine([])).toBeUndefined();
    expect(tellingLine([`Error: ${"x".repeat(5000)}`])?.line.length).toBeLessThan(310);
  });

  it("is known with its advice for every common ending", () => {
    const used = new Set(
      written
        .map(([, stderr]) => tellingLine(stderr.split("\n"))?.advice)
        .filter((each) => each !== undefined),
    );

    expect(endings.map(({ advice }) => advice).filter((advice) => !used.has(advice))).toEqual([
      "the program is an ES module: name it .mjs, or update Node",
    ]);
  });
});
