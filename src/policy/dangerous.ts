import { isCredentialName } from "./credentials.js";

/**
 * Families of variables that change what a command runs or loads, where it finds its settings, or where it sends its
 * secrets; without regard to case. The list is a hint for the question: the approval of an entry is bound to the text of
 * every variable, listed or not.
 */
const families = [
  // the loader and the libraries every program has
  "LD_.+|DYLD_.+|GCONV_PATH|GLIBC_TUNABLES|MALLOC_.+|OPENSSL_.+|SSLKEYLOGFILE|SSL_CERT_.+|.+_CA_BUNDLE|.+_PROXY|LOCPATH|NLSPATH|TERMINFO.*|HOSTALIASES|RESOLV_.+|RES_OPTIONS",
  // where programs look for their settings
  "HOME|USERPROFILE|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA|XDG_.+|TMPDIR|TEMP|TMP",
  // finding and running programs
  "PATH|PATHEXT|COMSPEC|SHELL|EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|LESS|LESSOPEN|LESSCLOSE|LESSKEY.*|SSH_ASKPASS.*|SUDO_.+",
  // shells
  "BASH_ENV|BASH_FUNC_.*|BASH_LOADABLES_PATH|ENV|SHELLOPTS|BASHOPTS|PS4|IFS|CDPATH|FPATH|PROMPT_COMMAND|ZDOTDIR|PSMODULEPATH|POWERSHELL_.+",
  // languages and their package managers
  "NODE_.+|NPM_.+|YARN_.+|PNPM_.+|BUN_.+|DENO_.+|COREPACK_.+|ELECTRON_.+|VOLTA_.+|FNM_.+|NVM_.+|TS_NODE_.+|TSX_.+",
  "PYTHON.+|PIP_.+|PIPX_.+|UV_.+|POETRY_.+|PDM_.+|CONDA.*|VIRTUAL_ENV|PYENV_.+|IPYTHON.+|JUPYTER_.+|PYTEST_.+",
  "PERL.+|RUBY.+|GEM_.+|BUNDLE_.+|BUNDLER_.+|RBENV_.+|LUA_.+|PHP.*|COMPOSER_.+|R_.+|JULIA_.+|ERL_.+|ELIXIR_.+|GUILE_.+|TCL.*|OCAML.+|GHC.*",
  "_JAVA_OPTIONS|JDK_JAVA_OPTIONS|JAVA_.+|CLASSPATH|MAVEN_.+|GRADLE_.+|SBT_.+|KOTLIN_.+",
  "RUST.*|CARGO.*|GO(?:PATH|ROOT|FLAGS|PROXY|PRIVATE|BIN|ENV|TOOLCHAIN|WORK|SUMDB|NOSUMDB|NOPROXY|INSECURE|DEBUG|VCS|AUTH|CACHE.*|MODCACHE|EXPERIMENT)|CGO_.+|CC|CXX|CPP|AR|LINKER|MAKEFLAGS|MAKEFILES|CMAKE_.+|PKG_CONFIG.*",
  "DOTNET_.+|COR_.+|CORECLR_.+|COMPLUS_.+|NUGET_.+|MSBUILD.+",
  // tools that run others, or hold credentials
  "GIT_.+|SVN_.+|HG.+|GPG_.+|GNUPGHOME|KUBECONFIG|KUBE_.+|HELM_.+|DOCKER_.+|CONTAINERS?_.+|BUILDKIT_.+|AWS_.+|AZURE_.+|GCLOUD_.+|CLOUDSDK_.+|GOOGLE_.+|TF_.+|ANSIBLE_.+|VAULT_.+|NETRC|CURL_.+|WGETRC|PG.+|MYSQL_.+|ODBC.*|TNS_ADMIN|SQLITE_.+|MISE_.+|ASDF_.+|DIRENV_.+|STARSHIP_.+|VIMINIT|GVIMINIT|EXINIT|EMACS.*|INPUTRC|WINE.+|QT_.+|GTK_.+|GIO_.+|GST_.+|DBUS_.+|DISPLAY|OTEL_.+",
  // ours: addresses and folders of the built-in servers
  "MCPVISOR_.+",
];
const dangerous = new RegExp(`^(?:${families.join("|")})$`, "i");

/** Members of these families that say who or how loud, and nothing else. */
const harmless =
  /^(?:NODE_ENV|NODE_NO_WARNINGS|NODE_DISABLE_COLORS|PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|IOENCODING|UTF8|HASHSEED|OPTIMIZE|FAULTHANDLER)|GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|GIT_TERMINAL_PROMPT|RUST_(?:LOG|BACKTRACE)|GOMAXPROCS|UV_NO_PROGRESS|PIP_NO_INPUT|AWS_(?:DEFAULT_)?REGION|OTEL_SERVICE_NAME)$/i;

/** The loader's and git's: what sounds like a key there is none (GIT_CONFIG_KEY_0). */
const never = /^(?:LD_|DYLD_|GIT_CONFIG)/i;

/**
 * Whether a variable could turn a harmless command into another program, or send its secrets elsewhere. A credential of
 * such a program (AWS_SECRET_ACCESS_KEY, NPM_TOKEN) is data.
 */
export function isDangerousName(name: string): boolean {
  if (!dangerous.test(name) || harmless.test(name)) return false;
  return never.test(name) || !isCredentialName(name);
}
