import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Keyring } from "./keyring.js";

/** Encrypts what lies in files with one key that lies in the OS keyring. */
export interface Sealer {
  /** The sealed text, or undefined where there is no keyring that works. `about` must be given again to open it. */
  seal(text: string, about: string): Promise<string | undefined>;
  /** Throws SealError when the key is out of reach, or the text was changed or belongs to something else. */
  open(sealed: string, about: string): Promise<string>;
}

/** Thrown for sealed texts that cannot be opened. `locked`: the keyring does not give the key (now). */
export class SealError extends Error {
  override readonly name = "SealError";
  readonly locked: boolean;
  constructor(message: string, locked: boolean, options?: ErrorOptions) {
    super(message, options);
    this.locked = locked;
  }
}

export interface SealerOptions {
  /** Name of the key in the keyring. */
  readonly keyName: string;
  readonly loadKeyring: () => Promise<Keyring | undefined>;
}

const algorithm = "aes-256-gcm";

/**
 * A sealer whose 32 bytes of key are made with the first text and kept in the keyring: keyrings cap their entries, so
 * they hold the key and never the tokens. A keyring that is missing, or forgets what it was given, seals nothing.
 */
export function createSealer({ keyName, loadKeyring }: SealerOptions): Sealer {
  let known: Buffer | undefined;

  async function readKey(): Promise<Buffer | undefined> {
    if (known !== undefined) return known;
    const ring = await loadKeyring();
    const text = await ring?.get(keyName);
    const key = text === undefined ? undefined : Buffer.from(text, "base64");
    return key?.length === 32 ? (known = key) : undefined;
  }

  async function keyToSeal(): Promise<Buffer | undefined> {
    const key = await readKey();
    if (key !== undefined) return key;
    const ring = await loadKeyring();
    if (ring === undefined) return undefined;
    await ring.set(keyName, randomBytes(32).toString("base64"));
    // What it gives back counts: another process may have been first, and some keyrings forget.
    return readKey();
  }

  return {
    async seal(text, about) {
      // A keyring that fails is none: the text is kept plain, in a file of its owner only.
      const key = await keyToSeal().catch(() => undefined);
      if (key === undefined) return undefined;
      const nonce = randomBytes(12);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(about));
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64");
    },
    async open(sealed, about) {
      const key = await readKey().catch((error: unknown) => {
        throw new SealError("the OS keyring cannot be read from here", true, { cause: error });
      });
      if (key === undefined) throw new SealError("the OS keyring does not hold the key", true);
      const bytes = Buffer.from(sealed, "base64");
      try {
        const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, 12)).setAAD(Buffer.from(about));
        decipher.setAuthTag(bytes.subarray(12, 28));
        return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
      } catch (error) {
        throw new SealError("the sealed text does not fit the key in the OS keyring", false, {
          cause: error,
        });
      }
    },
  };
}
