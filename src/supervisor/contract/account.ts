/** The account that a server's requests use, as its file has it (docs/authorization.md); no secrets. */
export interface AccountStatus {
  /** Id of the server. */
  readonly server: string;
  /** Name of the account: `default`, or what the entry says. */
  readonly account: string;
  /** `ended`: the grant is lost. `unreadable`: its file cannot be read. `problem` says why. */
  readonly state: "logged-in" | "logged-out" | "ended" | "unreadable";
  /** The authorization server that gave the grant, as it names itself. */
  readonly issuer?: string;
  /** What was granted. */
  readonly scopes?: readonly string[];
  /** When the access token ends, in epoch ms; absent when the issuer did not say. It is renewed by itself. */
  readonly expiresAt?: number;
  /** Sealed with a key of the OS keyring, or readable by the owner of the file. */
  readonly keptIn?: "sealed-file" | "file";
  /** What is wrong with it, in one sentence. */
  readonly problem?: string;
}
