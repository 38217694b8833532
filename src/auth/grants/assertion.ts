import { createPrivateKey, type KeyObject, webcrypto } from "node:crypto";
import { AuthError } from "../door/problem.js";

/** Reads a PEM private key for signing assertions: EC P-256/384/521, Ed25519, or RSA (then as RS256). */
export async function privateKey(pem: string): Promise<webcrypto.CryptoKey> {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch (error) {
    // The reason could quote the key.
    throw new AuthError("unsupported", "oauth.clientKey is not a private key in PEM form", { cause: error });
  }
  const der = key.export({ format: "der", type: "pkcs8" });
  return webcrypto.subtle.importKey("pkcs8", der, algorithmOf(key), false, ["sign"]);
}

function algorithmOf(key: KeyObject): { name: string; namedCurve?: string; hash?: string } {
  if (key.asymmetricKeyType === "ed25519") return { name: "Ed25519" };
  if (key.asymmetricKeyType === "rsa") return { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const curve = { prime256v1: "P-256", secp384r1: "P-384", secp521r1: "P-521" }[
    key.asymmetricKeyDetails?.namedCurve ?? ""
  ];
  if (key.asymmetricKeyType === "ec" && curve !== undefined) return { name: "ECDSA", namedCurve: curve };
  throw new AuthError(
    "unsupported",
    `oauth.clientKey is of a kind that cannot sign assertions (${key.asymmetricKeyType ?? "unknown"})`,
  );
}
