import type { Peer } from "../consumers/peer.js";
import type { Fleet } from "../contract/door.js";
import type { View } from "../view/view.js";
import type { Views } from "../view/views.js";

/** As long as most servers may take to connect. */
const patienceMs = 20_000;
const pollMs = 50;

/**
 * The view to call a tool from. After a restart of the service a host calls what it knows from before, while the server
 * is still being connected: such a call waits for the list, as a call of a server that is down waits for its next life.
 */
export async function viewWith(
  name: string,
  { consumer, only }: Peer,
  fleet: Fleet,
  views: Views,
  signal: AbortSignal,
): Promise<View> {
  for (let waitedMs = 0; waitedMs < patienceMs && !signal.aborted; waitedMs += pollMs) {
    if (!mayCome(name, views.of(consumer, only), only, fleet)) break;
    await new Promise((look) => setTimeout(look, pollMs));
  }
  return views.of(consumer, only);
}

/** Whether a name that no list has can be that of a tool of a server that is just starting. */
export function mayCome(
  name: unknown,
  { tools, servers }: View,
  only: string | undefined,
  fleet: Fleet,
): name is string {
  if (typeof name !== "string" || tools.has(name)) return false;
  return servers.some(({ id }) => (only !== undefined || name.startsWith(`${id}__`)) && fleet.starting(id));
}
