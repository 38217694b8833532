import { Exchange } from "./exchange.js";
import type { HttpPorts } from "./httpPorts.js";
import type { HttpSession } from "./session.js";
import type { ReplyHeaders } from "./headers.js";

/**
 * Tells the server that its session is no longer needed (DELETE; MCP 2025-11-25, Session Management). Any answer or
 * failure is fine; resolves false when there was none within the time.
 */
export function deleteSession(ports: HttpPorts, session: HttpSession, timeoutMs: number): Promise<boolean> {
  if (session.id === undefined || session.isDead) return Promise.resolve(true);
  return new Promise((resolve) => {
    const finish = (inTime: boolean): void => {
      ports.clock.clearTimeout(timer);
      exchange.abort();
      resolve(inTime);
    };
    const timer = ports.clock.setTimeout(() => finish(false), timeoutMs);
    const headers = session.deleteHeaders();
    const exchange = new Exchange(
      ports.wire,
      { method: "DELETE", path: ports.path, headers, cookies: session.cookies, repeatable: true },
      {
        head: (_status: number, _headers: ReplyHeaders) => finish(true),
        data: () => undefined,
        end: () => undefined,
        fail: () => finish(true),
      },
    );
    exchange.start();
  });
}
