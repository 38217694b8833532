import { defaultLimits } from "../../config/index.js";
import { print } from "../context/context.js";
import type { Context } from "../context/context.js";
import { lookAtEverything } from "../doctor/checkup.js";
import type { Checkup, ServerCheck } from "../doctor/checkup.js";
import type { Finding } from "../doctor/finding.js";
import { findingsOf } from "../doctor/findings.js";
import { exitCodes } from "../context/exitCodes.js";
import { count } from "../screen/factLine.js";
import { jsonText, visible } from "../screen/visible.js";

export interface DoctorFlags {
  readonly home?: string;
  readonly workspace?: string;
  readonly json?: boolean;
}

/** Looks at configuration, processes and surroundings, and says what to do; 1 when something needs attention. */
export async function doctor(context: Context, flags: DoctorFlags): Promise<number> {
  const checkup = await lookAtEverything(context, flags);
  const findings = findingsOf(checkup);
  const ok = findings.every(({ level }) => level === "note");
  const lines = () => [
    ...overview(checkup),
    ...findings.map((each) => line(context, each)),
    verdict(findings),
  ];
  print(context, flags.json ? jsonText({ ok, ...document(checkup), findings }) : lines().join("\n"));
  return ok ? exitCodes.ok : exitCodes.failed;
}

function document({ versions, home, service, processes, fleet, servers, consumers }: Checkup) {
  const { state, pid, address } = service;
  return {
    versions,
    home,
    service: { state, pid, address },
    ...processes,
    files: fleet.files,
    problems: fleet.problems,
    consumers: consumers.records.map(({ name, config }) => ({ name, config })),
    servers: servers.map(({ spec, removed, dropped, missing }) => {
      const { id, scope, file, enabled, trusted, held, limits } = spec;
      return { id, scope, file, enabled, trusted, held, missing, removed, dropped, limits };
    }),
  };
}

function overview({ versions, home, service, processes, servers }: Checkup): string[] {
  const where = service.address === undefined ? "" : ` at ${service.address} (process ${service.pid ?? 0})`;
  const words = { running: "runs", silent: "does not answer", dead: "does not run", none: "does not run" };
  const on = servers.filter(({ spec }) => spec.enabled);
  const ways = processes.containment.map(
    ({ choice, available, auto }) => `${choice} ${available ? "yes" : "no"}${auto ? " (auto)" : ""}`,
  );
  return [
    `mcpvisor ${versions.mcpvisor}, Node ${versions.node}, ${versions.platform}`,
    `state folder ${home}; the service ${words[service.state]}${where}`,
    "tokens in it: service.token may do everything; agent.token calls tools, and is the one for agents",
    `servers: ${on.length} of ${servers.length} enabled; ledgers: ${processes.ledgers.length}; containment: ${ways.join(", ")}`,
    ...on.flatMap(limitsLine),
  ].map(visible);
}

/** Limits are told where they are not the usual ones. */
function limitsLine({ spec }: ServerCheck): string[] {
  const others = Object.entries(spec.limits).filter(
    ([name, value]) => new Map(Object.entries(defaultLimits)).get(name) !== value,
  );
  if (others.length === 0) return [];
  return [`limits of server "${spec.id}": ${others.map(([name, value]) => `${name} ${value}`).join(", ")}`];
}

function line({ terminal }: Context, { level, about, message, todo }: Finding): string {
  const { red, yellow, dim } = terminal.colors;
  const paint = { error: red, warning: yellow, note: dim }[level];
  const subject = message.includes(about) ? "" : `${about}: `;
  const rest = message.includes(todo) ? "" : `; ${todo}`;
  return `${paint(level)}: ${visible(`${subject}${message}${rest}`)}`;
}

function verdict(findings: readonly Finding[]): string {
  const of = (level: Finding["level"]) => findings.filter((each) => each.level === level).length;
  if (of("error") + of("warning") === 0) return "nothing needs your attention";
  return `${count(of("error"), "error")}, ${count(of("warning"), "warning")}`;
}
