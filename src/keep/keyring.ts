/** The OS keyring as the store needs it. */
export interface Keyring {
  get(key: string): Promise<string | undefined>;
  set(key: string, secret: string): Promise<void>;
  delete(key: string): Promise<void>;
}

/** The part of `@napi-rs/keyring` 2.x that is used. */
interface KeyringModule {
  readonly AsyncEntry: new (
    service: string,
    username: string,
    options?: { linux?: { store?: string } },
  ) => {
    getPassword(): Promise<string | null>;
    setPassword(password: string): Promise<void>;
    deleteCredential(): Promise<boolean>;
  };
}

const SERVICE = "mcpvisor";
// Without this the kernel's keyring is taken on Linux, which forgets everything at the next boot.
const options = { linux: { store: "secret-service" } };

/** The keyring of this machine, or undefined where the optional package is not installed. */
export async function loadKeyring(): Promise<Keyring | undefined> {
  const name = "@napi-rs/keyring";
  let loaded: KeyringModule;
  try {
    loaded = (await import(name)) as KeyringModule;
  } catch {
    // An optional peer: not installed, or not built for this platform. The file is used then.
    return undefined;
  }
  const entry = (key: string) => new loaded.AsyncEntry(SERVICE, key, options);
  return {
    get: async (key) => (await entry(key).getPassword()) ?? undefined,
    set: (key, secret) => entry(key).setPassword(secret),
    delete: async (key) => void (await entry(key).deleteCredential()),
  };
}
