/**
 * Tokens of well-known services that say what they are, as the beginning of a pattern and what follows it. One list: the
 * environment of children, the arguments of entries and the masks of the built-in servers read it.
 */
const tokenShapes = [
  String.raw`gh[pousr]_\w{16,}`, // GitHub
  String.raw`github_pat_\w{16,}`,
  String.raw`glpat-[\w-]{16,}`, // GitLab
  String.raw`sk-[\w-]{16,}`, // OpenAI, Anthropic and their like
  String.raw`gsk_\w{16,}`, // Groq
  String.raw`hf_[A-Za-z]{16,}`, // Hugging Face
  String.raw`(?:sk|rk)_(?:live|test)_\w{8,}`, // Stripe
  String.raw`whsec_[\w+/=-]{16,}`,
  String.raw`SG\.[\w-]{10,}\.[\w-]{10,}`, // SendGrid
  String.raw`pypi-[\w-]{16,}`,
  String.raw`npm_\w{16,}`,
  String.raw`do[opr]_v1_\w{16,}`, // DigitalOcean
  String.raw`shp(?:at|ss|ca|pa)_\w{16,}`, // Shopify
  String.raw`lin_(?:api|oauth)_\w{16,}`, // Linear
  String.raw`ntn_\w{16,}`, // Notion
  String.raw`secret_\w{32,}`,
  String.raw`ya29\.[\w-]{16,}`, // Google
  String.raw`AIza[\w-]{20,}`,
  String.raw`GOCSPX-[\w-]{16,}`,
  String.raw`sbp_\w{16,}`, // Supabase
  String.raw`sb_secret_[\w-]{16,}`,
  String.raw`dckr_pat_[\w-]{16,}`, // Docker
  String.raw`xox[a-z]-[\w-]{10,}`, // Slack
  String.raw`xapp-[\w-]{10,}`,
  String.raw`A[KS]IA[A-Z0-9]{12,}`, // AWS
  String.raw`eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*`, // JSON Web Tokens
  String.raw`https://hooks\.slack\.com/(?:services|workflows|triggers)/[\w/-]{10,}`,
  String.raw`https://discord(?:app)?\.com/api/webhooks/[\w/-]{10,}`,
].join("|");

/** The same to be found anywhere in a text; a fresh object, because it keeps its place. */
export function tokensIn(): RegExp {
  return new RegExp(`(?<![A-Za-z0-9])(?:${tokenShapes})`, "g");
}

const whole = new RegExp(`^(?:${tokenShapes})`);

/** Whether a text begins with a well-known token. */
export function isToken(text: string): boolean {
  return whole.test(text);
}
