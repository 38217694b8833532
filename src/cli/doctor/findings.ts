import type { MarkedProcess } from "../../doctor.js";
import { problemLine } from "../screen/problems.js";
import { withoutSubject } from "../screen/serverTable.js";
import type { Checkup, ServerCheck } from "./checkup.js";
import { ofAccounts, waitsForLogin } from "./accounts.js";
import { ofConsumers } from "./consumers.js";
import type { Finding } from "./finding.js";

/** What a checkup means: errors first, then warnings, then notes. Pure. */
export function findingsOf(checkup: Checkup): Finding[] {
  const all = [
    ...ofVersions(checkup),
    ...ofHome(checkup),
    ...ofConfig(checkup),
    ...checkup.servers.flatMap(ofServer),
    ...ofAccounts(checkup),
    ...ofService(checkup),
    ...ofConsumers(checkup),
    ...ofProcesses(checkup),
    ...ofLedgers(checkup),
    ...ofContainment(checkup),
  ];
  return levels.flatMap((level) => all.filter((each) => each.level === level));
}

const levels = ["error", "warning", "note"] as const;

function ofVersions({ versions }: Checkup): Finding[] {
  const [major = 0, minor = 0] = versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 20)) return [];
  return [
    {
      level: "error",
      about: "node",
      message: `version ${versions.node} is too old`,
      todo: "install Node 20.20 or newer",
    },
  ];
}

function ofHome({ home, homeIsOpen }: Checkup): Finding[] {
  if (!homeIsOpen) return [];
  return [
    {
      level: "warning",
      about: home,
      message: "others may write into the state folder",
      todo: `chmod 700 ${home}`,
    },
  ];
}

function ofConfig({ fleet }: Checkup): Finding[] {
  return fleet.problems.map((problem) => ({
    level: problem.severity,
    about: problem.file ?? problem.server ?? "configuration",
    message: problemLine(problem),
    todo: problem.hint ?? "correct it in the file; `mcpvisor check` reads it again",
  }));
}

function ofServer({ spec, removed, dropped, missing }: ServerCheck): Finding[] {
  // What is wrong with an invalid entry, the problems of its file tell.
  if (!spec.enabled || spec.held?.kind === "config-invalid") return [];
  const about = `server "${spec.id}"`;
  const found: Finding[] = [];
  const tell = (level: Finding["level"], message: string, todo: string): void => {
    found.push({ level, about, message, todo });
  };
  if (spec.held?.kind === "approval-needed")
    tell("warning", "waits for approval", "run `mcpvisor up` in a terminal and answer its question");
  if (missing === "command")
    tell("error", "its command was not found on PATH", "install it, or write its full path into command");
  if (missing === "cwd") tell("error", "its folder is not there", "make the folder, or correct cwd");
  if (dropped.length > 0)
    tell(
      "warning",
      `does not get its own ${some(dropped)}`,
      "approve the entry, or define it in settings.json",
    );
  if (removed.length > 0)
    tell("note", `does not get ${some(removed)} of this environment`, 'list in "pass" what it needs');
  return found;
}

function ofService({ service, home }: Checkup): Finding[] {
  const about = "service";
  if (service.state === "silent") {
    const message = `process ${service.pid ?? 0} does not answer at ${service.address ?? "an unknown address"}`;
    return [{ level: "warning", about, message, todo: `end it and start anew: kill ${service.pid ?? 0}` }];
  }
  if (service.state === "dead") {
    const message = `service.json in ${home} is left from a service that died`;
    return [{ level: "note", about, message, todo: "nothing: the next service replaces it" }];
  }
  return service.servers
    .filter(({ state }) => state === "parked" || state === "stuck")
    .map((each) => ({ ...each, wants: waitsForLogin(each) }))
    .map(({ id, state, lastError, cause, wants }) => ({
      level: "warning",
      about: `server "${id}"`,
      message: `is ${state}: ${withoutSubject((lastError ?? cause).message)}`,
      todo:
        state === "parked"
          ? `mcpvisor ${wants ? "login" : "connect"} ${id}`
          : "end the processes that `mcpvisor servers` shows for it",
    }));
}

function ofProcesses({ processes }: Checkup): Finding[] {
  return [
    ...processes.orphans.map((each): Finding => {
      const message = `${named(each)} is left from a supervisor that died`;
      const todo = `the next start in this state folder ends it, for example \`mcpvisor servers --alone\`; or: kill ${each.pid}`;
      return { level: "warning", about: "processes", message, todo };
    }),
    ...processes.spared.map((each): Finding => {
      const message = `${named(each)} is a shared daemon, which starts leave alone`;
      return {
        level: "note",
        about: "processes",
        message,
        todo: `end it if nobody needs it: kill ${each.pid}`,
      };
    }),
    ...processes.strangers.map((each): Finding => {
      const message = `${named(each)} belongs to a supervisor of another state folder`;
      return { level: "note", about: "processes", message, todo: "nothing: that one looks after it" };
    }),
  ];
}

function named({ pid, name, server }: MarkedProcess): string {
  return `process ${pid} (${name}) of server "${server}"`;
}

function ofLedgers({ processes }: Checkup): Finding[] {
  return processes.ledgers
    .filter(({ owner }) => owner !== "alive")
    .map(({ path, owner, ownerPid }) => ({
      level: "note",
      about: path,
      message:
        owner === "dead"
          ? `process ${ownerPid}, which kept this ledger, has died`
          : "was kept before a restart of the machine, or in another container",
      todo: "nothing: the next start clears it",
    }));
}

function ofContainment({ processes }: Checkup): Finding[] {
  if (processes.containment.some(({ auto }) => auto)) return [];
  const message =
    "descendants that leave their session and parent on purpose can only be found by their mark";
  const hasNamespaces = processes.containment.some(
    ({ choice, available }) => choice === "namespace" && available,
  );
  const todo = hasNamespaces
    ? 'install tini to hold them for certain, or give createSupervisor containment "namespace"'
    : "install tini to hold them for certain";
  return [{ level: "note", about: "containment", message, todo }];
}

function some(names: readonly string[]): string {
  const shown = names.slice(0, 8).join(", ");
  return names.length > 8 ? `${shown} and ${names.length - 8} more variables` : shown;
}
