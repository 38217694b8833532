import { isServing, type Supervisor } from "../../index.js";
import type { Mount } from "./endpoint.js";
import {
  disabled,
  failed,
  find,
  missing,
  notFound,
  notReplaced,
  params,
  status,
  tag,
} from "./serverAnswers.js";

/** Moving one server: connect, disconnect, restart, enable, disable. */
export function serverActions(add: Mount, supervisor: Supervisor): void {
  const path = "/api/mcp/servers";
  for (const action of ["connect", "disconnect", "restart"] as const) {
    add({
      method: "post",
      path: `${path}/{id}/${action}`,
      tag,
      summary: summaries[action],
      params,
      answers: {
        200: status,
        404: missing,
        ...(action === "disconnect" ? {} : refusals),
      },
      handle: async (request) => {
        const server = find(supervisor, request.params.id);
        if (action !== "disconnect" && !server.status().enabled) throw disabled(server.status());
        const before = server.status();
        const after = await server[action]();
        if (action === "disconnect") return Response.json(after);
        if (!isServing(after.state)) return failed(after);
        return action === "restart" && after.generation === before.generation
          ? notReplaced(after)
          : Response.json(after);
      },
    });
  }
  for (const [action, enabled] of [
    ["enable", true],
    ["disable", false],
  ] as const) {
    add({
      method: "post",
      path: `${path}/{id}/${action}`,
      tag,
      summary: enabled
        ? "Switch an entry on, where it is written down"
        : "Switch an entry off; its process ends",
      params,
      answers: { 200: status, 404: missing },
      handle: async (request) => {
        const { id } = find(supervisor, request.params.id);
        if (!(await supervisor.enableServer(id, enabled))) throw notFound(id);
        return Response.json(find(supervisor, id).status());
      },
    });
  }
}

const summaries = {
  connect: "Connect now and wait until it is ready; forgets earlier failures",
  disconnect: "Disconnect; it rests until somebody connects or calls",
  restart:
    "A new life: it takes over without a gap where two may exist (HTTP without a session), else calls in flight drain first",
};

const refusals = {
  409: { description: "It is disabled; enable it first", problem: "server-disabled" },
  502: {
    description: "`restart-failed`: its old life goes on. Else it could not be connected; `cause` says why",
    problem: "connect-failed",
  },
} as const;
