/** The services of the connectors server, in the order its tools are listed. */
export const connectorIds = [
  "github",
  "slack",
  "notion",
  "linear",
  "vercel",
  "cloudflare",
  "supabase",
] as const;

/** Every service an account can be connected to. */
export const serviceIds = ["gmail", ...connectorIds] as const;

export type ServiceId = (typeof serviceIds)[number];

/** Whether a text names one of the services. */
export function isServiceId(text: string): text is ServiceId {
  return serviceIds.some((id) => id === text);
}
