/** How a process that failed often says why, and what a person can do about it. */
export interface Ending {
  /** Matches the telling line. */
  readonly says: RegExp;
  /** The end of a sentence. */
  readonly advice: string;
}

/** The commonest last words of servers, the more special ones first. */
export const endings: readonly Ending[] = [
  {
    says: /^npm (?:error|ERR!) code E404|is not in this registry/,
    advice: "npm has no such package, or it is private: correct its name in `args`",
  },
  {
    says: /^npm (?:error|ERR!) .*(?:ETARGET|No matching version found)/,
    advice: "npm has the package, but not that version: correct it in `args`",
  },
  {
    says: /^npm (?:error|ERR!) .*could not determine executable/,
    advice: "the package has no program to run: correct its name in `args`",
  },
  {
    says: /^npm (?:error|ERR!) (?:code )?(?:E401|E403|ENEEDAUTH)\b/,
    advice: "the registry wants a login for this package (`npm login`, or a token in .npmrc)",
  },
  {
    says: /^npm (?:error|ERR!) .*(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET)/,
    advice: "npm could not reach its registry: check network and proxy, or install the package beforehand",
  },
  {
    says: /ERR_REQUIRE_ESM|Cannot use import statement outside a module/,
    advice: "the program is an ES module: name it .mjs, or update Node",
  },
  {
    says: /Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND/,
    advice: "a file or package that it runs is not there: correct the path in `args`, or install it",
  },
  {
    says: /^ModuleNotFoundError\b|^ImportError\b/,
    advice: "install that module in the Python environment that `command` starts",
  },
  {
    says: /can't open file|can’t open file/,
    advice: "the script is not there: correct the path in `args`",
  },
  {
    says: /No solution found when resolving|was not found in the package registry|No matching distribution found/,
    advice: "PyPI has no such package or version: correct its name in `args`",
  },
  {
    says: /No interpreter found for Python|requires a different Python|Requires-Python/i,
    advice: "install the Python version that it asks for, or let uv do it (`uv python install`)",
  },
  {
    says: /Cannot connect to the Docker daemon|docker daemon running|dockerDesktopLinuxEngine/i,
    advice: "start Docker",
  },
  {
    says: /pull access denied|manifest unknown|repository does not exist|invalid reference format/i,
    advice: "the image cannot be had: correct its name in `args`, or log in to its registry",
  },
  {
    says: /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b.*\b(?:required|not set|missing|must be set|undefined|not found|is empty|not provided)|(?:missing|required|set|provide|expected)\b.*\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/i,
    advice: "set that variable in `env` of its entry",
  },
  {
    says: /EADDRINUSE|[Aa]ddress already in use/,
    advice: "another program has that port: end it, or choose another one",
  },
  { says: /ENOSPC|No space left on device/i, advice: "the disk is full" },
  {
    says: /heap out of memory|MemoryError|Cannot allocate memory|ENOMEM/,
    advice: "it needs more memory than it may have",
  },
  {
    says: /self[- ]signed certificate|unable to get local issuer|SELF_SIGNED_CERT|CERTIFICATE_VERIFY_FAILED/i,
    advice: "it does not trust a certificate: pass NODE_EXTRA_CA_CERTS or SSL_CERT_FILE in `env`",
  },
  {
    says: /\b401\b|Unauthorized|[Ii]nvalid (?:API|api) ?key|[Bb]ad credentials|[Ii]nvalid token/,
    advice: "its service refuses the credentials: check the token in `env`",
  },
  {
    says: /ECONNREFUSED|[Cc]onnection refused/,
    advice: "what it connects to is not running, or is somewhere else",
  },
  {
    says: /ENOTFOUND|EAI_AGAIN|getaddrinfo|Name or service not known|Temporary failure in name resolution/,
    advice: "it cannot find a host: check network, proxy and the address that it was given",
  },
  {
    says: /Exec format error|wrong ELF class|GLIBC(?:XX)?_\S+' not found|Bad CPU type/i,
    advice: "the program was built for another system: install the one for this machine",
  },
  {
    says: /NotCapable|Requires \w+ access to/,
    advice: "give Deno that permission in `args` (`--allow-net`, `--allow-env` …)",
  },
  {
    says: /(?:unknown|unrecognized|invalid|unexpected) (?:option|argument|flag|command)/i,
    advice: "it does not know one of its `args`: correct them",
  },
  {
    says: /command not found|: not found$|is not recognized as an internal or external command/,
    advice: "a program that it starts is not installed, or not on the PATH that it gets",
  },
  {
    says: /EACCES|EPERM|[Pp]ermission denied|PermissionError/,
    advice: "it may not use a file or port: check its rights",
  },
  {
    says: /ENOENT|No such file or directory|FileNotFoundError/,
    advice: "a file or folder that it was told of is not there: correct `args` or `cwd`",
  },
  {
    says: /^SyntaxError\b|Unsupported engine|EBADENGINE|requires? Node|Unexpected token/i,
    advice: "the program may want a newer version of what runs it (`node --version`)",
  },
];
