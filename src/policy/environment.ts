import type { ServerSpec, StdioTarget } from "../spec.js";
import { isCredentialName, isCredentialValue } from "./credentials.js";
import { isDangerousName } from "./dangerous.js";

/** What a child gets to see, and what it does not; all lists are sorted names, never values. */
export interface ChildEnvironment {
  readonly env: Record<string, string>;
  /** Variables of our own environment that are not passed on. */
  readonly removed: readonly string[];
  /** Variables of the entry itself that were dropped: dangerous ones of a project file that nobody approved by name. */
  readonly dropped: readonly string[];
}

/**
 * The environment of a stdio server: ours as far as `inherit` lets it, then `pass`, then the entry's own variables,
 * which win. An untrusted server always gets the minimal allowlist. Variables that make a harmless command load foreign
 * code come through from a project file only when a person has approved them by name, trusted or not: what counts is
 * where the entry is written, not what it wishes. Names ignore case on Windows; `--inspect` never passes.
 */
export function childEnvironment(
  parent: Readonly<Record<string, string | undefined>>,
  spec: Pick<ServerSpec, "trusted" | "scope"> & { readonly target: StdioTarget },
  platform: string,
): ChildEnvironment {
  const { target, trusted, scope } = spec;
  const fold = platform === "win32" ? (name: string) => name.toUpperCase() : (name: string) => name;
  const passed = new Set(target.pass.map(fold));
  const rule = trusted ? target.inherit : "minimal";
  const result = new Map<string, [name: string, value: string]>();
  const removed: string[] = [];
  for (const [name, value] of Object.entries(parent)) {
    // Windows keeps the current folder of each drive in variables that begin with "=".
    if (value === undefined || name.startsWith("=")) continue;
    const inherited = passed.has(fold(name)) || mayInherit(name, value, rule, trusted);
    const kept = inherited ? withoutInspect(name, value) : undefined;
    if (kept === undefined) removed.push(name);
    else result.set(fold(name), [name, kept]);
  }
  const dropped: string[] = [];
  const approved = new Set((target.approvedEnv ?? []).map((name) => name.toUpperCase()));
  for (const [name, value] of Object.entries(target.env)) {
    if (scope === "project" && isDangerousName(name) && !approved.has(name.toUpperCase())) dropped.push(name);
    else result.set(fold(name), [name, value]);
  }
  return {
    env: Object.fromEntries(result.values()),
    removed: removed.toSorted(),
    dropped: dropped.toSorted(),
  };
}

/** What programs need to start and to find their way, and nothing else. */
const minimal =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|LANG|LANGUAGE|LC_.+|TZ|TMPDIR|TEMP|TMP|PWD|HOSTNAME|CI|XDG_.+|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|DBUS_SESSION_BUS_ADDRESS|SSH_AUTH_SOCK|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|(?:AWS|REQUESTS|CURL|NODE|GRPC)_CA_BUNDLE|(?:HTTP|HTTPS|ALL|FTP|NO)_PROXY|NPM_CONFIG_(?:REGISTRY|CACHE|PREFIX)|UV_(?:CACHE_DIR|PYTHON.*|TOOL_DIR)|PIP_CACHE_DIR|NVM_(?:DIR|BIN|INC)|FNM_.+|VOLTA_HOME|ASDF_.+|MISE_.+|PYENV_(?:ROOT|VERSION)|RBENV_ROOT|SDKMAN_DIR|JAVA_HOME|GOPATH|GOROOT|CARGO_HOME|RUSTUP_HOME|DENO_DIR|BUN_INSTALL|PNPM_HOME|VIRTUAL_ENV|CONDA_PREFIX|DOCKER_(?:HOST|CONFIG|CONTEXT)|KUBECONFIG|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|USERNAME|USERPROFILE|USERDOMAIN|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA|ALLUSERSPROFILE|PUBLIC|PROGRAMFILES(?:\(X86\))?|PROGRAMW6432|COMMONPROGRAMFILES(?:\(X86\))?|COMMONPROGRAMW6432|PROCESSOR_.+|NUMBER_OF_PROCESSORS|OS|COMPUTERNAME|PSMODULEPATH)$/i;

const proxy = /_PROXY$/i;

function mayInherit(name: string, value: string, rule: StdioTarget["inherit"], trusted: boolean): boolean {
  if (rule === "all") return true;
  // Behind a company proxy nothing works without it, password or not; a foreign program must do without the password.
  if (proxy.test(name)) return trusted || !isCredentialValue(value);
  if (isCredentialName(name) || isCredentialValue(value)) return false;
  return rule === "safe" || minimal.test(name);
}

/** NODE_OPTIONS without what would open our debugger port a second time; undefined when nothing is left. */
function withoutInspect(name: string, value: string): string | undefined {
  if (name.toUpperCase() !== "NODE_OPTIONS" || !value.includes("--inspect")) return value;
  const words = value.match(/(?:"(?:\\.|[^"\\])*"|[^\s"])+/g) ?? [];
  const kept: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (!word.startsWith("--inspect")) kept.push(word);
    // "--inspect-port 9230" has its value in the next word.
    else if (/^--inspect-(?:port|publish-uid)$/.test(word)) at++;
  }
  return kept.length === 0 ? undefined : kept.join(" ");
}
