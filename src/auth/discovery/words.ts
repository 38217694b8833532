import type { OAuthSettings } from "../../spec.js";

/** `oauth` of an entry with its key read: `clientKey` is the PEM text here, not its path. */
export type OAuthWords = { readonly [K in keyof OAuthSettings]?: OAuthSettings[K] | undefined };
