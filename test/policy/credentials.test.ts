import { describe, expect, it } from "vitest";
import { createMask } from "../../src/builtin/tokens/mask.js";
import { isCredentialName, isCredentialValue } from "../../src/policy/credentials.js";

describe("names of credentials", () => {
  it.each(
    (
      "SSHKEY DEPLOYKEY TOKENVALUE KEYFILE GITHUB_TOKENVALUE MYSECRETVALUE SIGNINGKEY APIKEYS MASTERKEY KEYPAIR KEYSTORE " +
      "DBPASSWORD PASSWORDFILE CREDENTIALSFILE deployKey sshkey2 TLS_KEYFILE"
    ).split(" "),
  )("are told from fused words: %s", (name) => expect(isCredentialName(name)).toBe(true));

  it.each(
    (
      "KEYBOARD KEYBOARD_LAYOUT MONKEY MONKEYTYPE_HOME TURKEY HOTKEY TOKENIZERS_PARALLELISM TOKENIZER KEYMAP KEYTIMEOUT KEYWORDS " +
      "KEYNOTE KEYSTROKES SECRETARY AUTHOR GIT_AUTHOR_NAME COMPASS_HOME PASSENGER_APP_ENV LESSKEY"
    ).split(" "),
  )("are not seen in %s", (name) => expect(isCredentialName(name)).toBe(false));
});

describe("words with digits in names", () => {
  it.each([
    ["TOKEN2", true],
    ["TOKEN22", true],
    ["TO2KEN", false],
    ["MY_KEY_10", true],
    ["a__token", true],
    ["sshAuthSock", false],
    ["keyMap", false],
    ["keymap", false],
    ["SSH_AUTH_SOCK", false],
    ["SSH_AUTH_TOKEN", true],
    ["DATABASE_URL", true],
    ["MY_DATABASE_URL", true],
    ["MYDATABASE_URL", false],
    ["DATABASE_URLS", false],
  ])("%s is a credential's name: %s", (name, isOne) => {
    expect([isCredentialName(name), isCredentialName(name)]).toEqual([isOne, isOne]);
  });
});

const letters = "abcdefghijABCDEFGHIJ";
const body = "a1B2c3D4e5F6g7H8i9J0k1L2";
/** Texts that say what they are (X08); put together here, so that nobody takes this file for a leak. */
const tokens: Record<string, string> = {
  stripe: `sk_live_${body}`,
  "hugging face": `hf_${letters}`,
  sendgrid: `SG.${body}.${body}`,
  pypi: `pypi-${body}`,
  "digital ocean": `dop_v1_${body}`,
  shopify: `shpat_${body}`,
  linear: `lin_api_${body}`,
  notion: `ntn_${body}`,
  google: `ya29.${body}`,
  groq: `gsk_${body}`,
  supabase: `sbp_${body}`,
  docker: `dckr_pat_${body}`,
  "slack webhook": `https://hooks.slack.com/services/T000/B000/${body}`,
  github: `ghp_${body}`,
  gitlab: `glpat-${body}`,
  npm: `npm_${body}`,
  aws: "AKIAABCDEFGHIJKLMNOP",
};

describe("tokens that say what they are", () => {
  it.each(Object.entries(tokens))("%s: kept from children whatever their name, and masked", (_, token) => {
    expect(isCredentialValue(token)).toBe(true);
    expect(createMask().text(`see ${token} there`)).toBe("see [secret] there");
  });

  it.each([
    "skyline",
    "sk-short",
    "hf_model",
    "https://hooks.slack.com/",
    "npm_config",
    "SG.1.2",
    "pypi-mirror",
  ])("are not seen in %s", (text) => expect(isCredentialValue(text)).toBe(false));
});
