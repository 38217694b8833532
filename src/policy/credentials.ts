import { isToken } from "../tokenShapes.js";

/** Names that look like credentials to the rule below and are none: a child needs them. */
const keep = new Set([
  "PWD",
  "OLDPWD",
  "SSH_AUTH_SOCK",
  "SSH_ASKPASS",
  "SSH_ASKPASS_REQUIRE",
  "GIT_ASKPASS",
  "SUDO_ASKPASS",
  "XAUTHORITY",
  "KEYTIMEOUT",
  "KEYMAP",
]);

/** A word of a name that says: the value is a credential. */
const secretWords = new Set(
  (
    "TOKEN TOKENS SECRET SECRETS PASSWORD PASSWORDS PASSWD PASSPHRASE PASSCODE PASS PWD PW CREDENTIAL CREDENTIALS " +
    "CREDS CRED KEY KEYS AUTH AUTHORIZATION BEARER COOKIE COOKIES JWT PAT DSN WEBHOOK WEBHOOKS PRIVATE SIGNATURE SALT SAS"
  ).split(" "),
);

/** The same glued to something else: PGPASSWORD, APIKEY, SSHKEY, TOKENVALUE, KEYFILE, MYSECRETTEXT. */
const fused = new RegExp(
  [
    "PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|SECRET(?!AR)|APIKEY|AUTHTOKEN",
    "TOKENS?$|KEYS?$",
    "(?:TOKEN|KEY)S?(?:VALUE|FILE|PATH|TEXT|STRING|DATA|JSON|PEM|PAIR|STORE|TAB|PASS|MATERIAL|B64|BASE64)S?$",
  ].join("|"),
);

/** Words that end in KEY and are none. */
const otherKeys =
  /^(?:MONKEY|TURKEY|DONKEY|JOCKEY|HOCKEY|WHISKEY|HOTKEY|MICKEY|LACKEY|HICKEY|LESSKEY|SORTKEY|PRIMARYKEY|FOREIGNKEY|PARTITIONKEY|CACHEKEY|ROUTINGKEY)S?$/;

/** Names of connection texts, which hold a password more often than not. */
const connectionName =
  /(?:^|_)(?:DATABASE|DB|JDBC|POSTGRES(?:QL)?|PG|MYSQL|MARIADB|MSSQL|MONGO(?:DB)?|REDIS|AMQP|RABBITMQ|KAFKA|CLICKHOUSE|ELASTICSEARCH|SMTP|CONNECTION)_(?:URL|URI|STRING)$/;

/**
 * Whether a variable's name looks like a credential, judged word by word, so that GITHUB_TOKEN and PGPASSWORD do while
 * KEYBOARD_LAYOUT, TOKENIZERS_PARALLELISM and GIT_AUTHOR_NAME do not.
 */
export function isCredentialName(name: string): boolean {
  let known = judged.get(name);
  if (known === undefined) {
    known = judge(name);
    if (judged.size >= mostJudged) judged.clear();
    judged.set(name, known);
  }
  return known;
}

/** The same names come again with each child. */
const judged = new Map<string, boolean>();
const mostJudged = 1000;

function judge(name: string): boolean {
  const upper = name.replaceAll(/([a-z\d])([A-Z])/g, "$1_$2").toUpperCase();
  if (keep.has(upper) || keep.has(name.toUpperCase())) return false;
  const words = upper.split(/[^A-Z0-9]+/);
  return words.some(isSecretWord) || connectionName.test(upper);
}

function isSecretWord(word: string): boolean {
  const stem = word.replace(/\d+$/, "");
  return secretWords.has(stem) || (fused.test(stem) && !otherKeys.test(stem));
}

const credentialValues = [
  // A URL with a password in front of the host.
  /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i,
  // A connection text such as "Server=x;Password=y".
  /(?:^|[;?&\s])(?:password|pwd|accountkey|sharedaccesskey|api_?key|access_token|client_secret)=[^;&\s]+/i,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
];

/** Whether a value looks like a credential whatever its name: URLs with passwords, private keys, well-known tokens. */
export function isCredentialValue(value: string): boolean {
  return isToken(value) || credentialValues.some((pattern) => pattern.test(value));
}
