import * as z from "zod";

/** What must never be shown: the parts of an account that open doors. */
const secretsSchema = z.object({
  accessToken: z.string().min(1),
  refreshToken: z.string().optional(),
  clientSecret: z.string().optional(),
});

/** One connected account as it lies in tokens.json; `secrets` is absent when the OS keyring holds them. */
export const accountSchema = z.object({
  /** Who it is, as the service says: an address, a login, a workspace. */
  label: z.string(),
  kind: z.enum(["oauth", "token", "env"]),
  keptIn: z.enum(["file", "keyring"]),
  /** Epoch milliseconds. */
  connectedAt: z.number(),
  expiresAt: z.number().optional(),
  scopes: z.array(z.string()).optional(),
  clientId: z.string().optional(),
  tokenUrl: z.string().optional(),
  revokeUrl: z.string().optional(),
  /** What else a request needs, such as the project URL of Supabase; no secrets. */
  fields: z.record(z.string(), z.string()).optional(),
  secrets: secretsSchema.optional(),
});

export const tokensFileSchema = z.object({
  version: z.literal(1),
  accounts: z.record(z.string(), accountSchema),
});

/** An account as it is written down. */
export type StoredAccount = z.infer<typeof accountSchema>;
export type Secrets = z.infer<typeof secretsSchema>;
/** An account with its secrets at hand. */
export type Account = Omit<StoredAccount, "secrets"> & { readonly secrets: Secrets };
export type TokensFile = z.infer<typeof tokensFileSchema>;

/** Parses what a keyring gave back; undefined when it is not ours. */
export function parseSecrets(text: string): Secrets | undefined {
  try {
    const parsed = secretsSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    // Not JSON: somebody else's entry under our name counts as none.
    return undefined;
  }
}
