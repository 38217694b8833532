import type { AccountOverview } from "../../auth/standalone.js";
import { visible } from "./visible.js";

export const authColumns = [
  { title: "SERVER", shrinkTo: 12 },
  { title: "ACCOUNT", shrinkTo: 10 },
  { title: "STATE" },
  { title: "ISSUER", shrinkTo: 16 },
  { title: "SCOPES", shrinkTo: 10 },
  { title: "TOKEN ENDS", shrinkTo: 10 },
  { title: "KEPT IN" },
];

export function authRow({ server, account, state, issuer, scopes, expiresAt, keptIn }: AccountOverview) {
  const ends = expiresAt === undefined ? "-" : new Date(expiresAt).toISOString();
  const texts = [server, account, state, issuer ?? "-", scopes?.join(" ") || "-", ends, keptIn ?? "-"];
  return texts.map((each) => ({ text: visible(each) }));
}
