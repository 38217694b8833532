import { cloudflare } from "./cloudflare.js";
import { github } from "./github.js";
import { gmail } from "./gmail.js";
import { connectorIds, type ServiceId } from "../contract/ids.js";
import { linear } from "./linear.js";
import { notion } from "./notion.js";
import type { Service } from "../contract/service.js";
import { slack } from "./slack.js";
import { supabase } from "./supabase.js";
import { vercel } from "./vercel.js";

const services: Readonly<Record<ServiceId, Service>> = {
  gmail,
  github,
  slack,
  notion,
  linear,
  vercel,
  cloudflare,
  supabase,
};

/** The service of that id. */
export function serviceOf(id: ServiceId): Service {
  return services[id];
}

/** The seven services of the connectors server. */
export const connectorServices: readonly Service[] = connectorIds.map(serviceOf);
