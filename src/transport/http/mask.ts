/** Replaces every secret in a text by a mark; values under 4 characters would hit innocent text and are left. */
export function mask(text: string, secrets: Iterable<string | undefined>): string {
  let masked = text;
  for (const secret of secrets) {
    if (secret !== undefined && secret.length >= 4) masked = masked.replaceAll(secret, "***");
  }
  return masked;
}
