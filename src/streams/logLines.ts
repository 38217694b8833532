import type { Fact } from "../events.js";

interface LogSink {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Writes one log line per fact; the only place that logs. Calls are debug, changes of state info. */
export function logLine(logger: LogSink, fact: Fact): void {
  switch (fact.type) {
    case "mcp.state": {
      const { id, generation, from, to, cause } = fact;
      return logger.info({ server: id, generation, from, to, cause: cause.kind }, cause.message);
    }
    case "mcp.connected":
      return logger.info({ server: fact.id, tools: fact.tools, version: fact.protocolVersion }, "connected");
    case "mcp.disconnected":
      return logger.info(
        { server: fact.id, cause: fact.reason.kind },
        `disconnected: ${fact.reason.message}`,
      );
    case "mcp.error":
      return logger.error({ server: fact.id, cause: fact.error.kind }, fact.error.message);
    case "mcp.retired":
      return logger.info({ server: fact.id }, "retired");
    case "mcp.tools": {
      const { id, added, removed, changed } = fact;
      return logger.info(
        { server: id, added: added.length, removed: removed.length, changed: changed.length },
        "tools changed",
      );
    }
    case "mcp.lists":
      return logger.info({ server: fact.id, list: fact.list }, "a list has changed");
    case "mcp.call.started":
    case "mcp.call.progress":
      return logger.debug({ server: fact.id, call: fact.call }, fact.type);
    case "mcp.call.settled": {
      const { id, call, tool, ok, failure, durationMs } = fact;
      return logger.debug({ server: id, call, tool, ok, failure, ms: durationMs }, fact.type);
    }
    case "mcp.approval.requested":
      return logger.info(
        { server: fact.id, approval: fact.approval, tool: fact.tool },
        `approval: ${fact.reason}`,
      );
    case "mcp.approval.decided": {
      const { id, approval, decision, by } = fact;
      return logger.info({ server: id, approval, decision, by }, "approval decided");
    }
    case "mcp.auth.needed":
      return logger.warn({ server: fact.id, reason: fact.reason }, "needs a login");
    case "mcp.auth.started":
      return logger.info({ server: fact.id, login: fact.login, how: fact.how, by: fact.by }, "login started");
    case "mcp.auth.settled": {
      const { id, login, ok, failure, ms } = fact;
      return logger[ok ? "info" : "warn"]({ server: id, login, ok, failure, ms }, "login settled");
    }
    case "mcp.auth.renewed":
      return logger.debug({ server: fact.id, ms: fact.ms, adopted: fact.adopted }, "token renewed");
    case "mcp.auth.unsaved":
      return logger.error({ server: fact.id }, "a renewed token could not be written to disk");
    case "mcp.auth.forgotten":
      return logger.info({ server: fact.id, revoked: fact.revoked }, "logged out");
    case "mcp.config": {
      const { file, added, removed, changed, errors } = fact;
      return logger.info({ file, added, removed, changed, errors }, "configuration applied");
    }
    case "mcp.log":
      return logger[fact.level === "warning" ? "warn" : fact.level]({ server: fact.id }, fact.message);
    default:
      // A fact without a line: the compiler tells.
      fact satisfies never;
  }
}
