import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** What is handed to a consumer and must come back unread and unchanged: session ids, cursors, states of rounds. */
export interface Seal {
  /** Opaque visible ASCII that only the same `purpose` opens. */
  close(purpose: string, content: unknown): string;
  /** Undefined for anything that was not sealed here for this purpose. */
  open(purpose: string, text: string): unknown;
}

const cipher = "aes-256-gcm";
const ivLength = 12;
const tagLength = 16;
const longest = 64 * 1024;

/** A seal of 32 bytes of key; the same key opens after a restart. */
export function createSeal(key: Uint8Array): Seal {
  return {
    close(purpose, content) {
      const iv = randomBytes(ivLength);
      const box = createCipheriv(cipher, key, iv).setAAD(Buffer.from(purpose));
      const body = Buffer.concat([box.update(JSON.stringify(content), "utf8"), box.final()]);
      return Buffer.concat([iv, box.getAuthTag(), body]).toString("base64url");
    },
    open(purpose, text) {
      if (text.length > longest || !/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
      const bytes = Buffer.from(text, "base64url");
      // There is one spelling of each: what decodes to the same bytes is not the same id.
      if (bytes.length <= ivLength + tagLength || bytes.toString("base64url") !== text) return undefined;
      try {
        const box = createDecipheriv(cipher, key, bytes.subarray(0, ivLength))
          .setAAD(Buffer.from(purpose))
          .setAuthTag(bytes.subarray(ivLength, ivLength + tagLength));
        const body = Buffer.concat([box.update(bytes.subarray(ivLength + tagLength)), box.final()]);
        return JSON.parse(body.toString("utf8")) as unknown;
      } catch {
        // Forged, of another key or another purpose: as good as unknown.
        return undefined;
      }
    },
  };
}
