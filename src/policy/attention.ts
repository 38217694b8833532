import type { Cause, ConfigProblem } from "../errors.js";
import type { ServerState } from "../events.js";
import { adviceFor } from "./advice.js";

/** What a button, or a command, can do about something that needs attention; the other fields are what it needs for that. */
export interface AttentionFix {
  /**
   * `decide`: answer these questions. `login`: log in to the server's account. `connect`: try a server that rests.
   * `restart`: begin a new life of one that serves. `network`: switch the network on. `edit`: correct a file. `end`: end
   * processes that are left.
   */
  readonly do: "decide" | "login" | "connect" | "restart" | "network" | "edit" | "end";
  /** Id of the server. */
  readonly server?: string;
  /** Ids of the questions. */
  readonly approvals?: readonly string[];
  /** The file. */
  readonly file?: string;
  /** Its line, if it is known. */
  readonly line?: number;
  /** The processes. */
  readonly pids?: readonly number[];
}

/** One thing that a person should look at. */
export interface AttentionItem {
  /** The same as long as it is the same thing. */
  readonly id: string;
  /** `bad`: something does not work. `wait`: somebody waits for an answer. `note`: it works, but not as it should. */
  readonly tone: "bad" | "wait" | "note";
  /** Id of the server it is about, if it is about one. */
  readonly server?: string;
  /** What is the matter, in one line; parts of it may be a server's words. */
  readonly text: string;
  /** What to do, as the end of a sentence. */
  readonly advice: string;
  /** The one fix that fits best. */
  readonly fix: AttentionFix;
}

/** What is looked at; `ServerStatus`, `ApprovalRequest` and `ConfigProblem` fit. */
export interface AttentionInput {
  /** All servers. */
  readonly servers: readonly {
    /** Its id. */
    readonly id: string;
    /** Where it stands. */
    readonly state: ServerState;
    /** Why. */
    readonly cause: Cause;
    /** Its last fault. */
    readonly lastError?: Cause;
    /** Whether it serves with its old entry. */
    readonly outdated?: true;
    /** When it is tried again, in epoch ms. */
    readonly nextAttemptAt?: number;
    /** Processes of its life. */
    readonly pids: readonly number[];
  }[];
  /** Open questions. */
  readonly approvals: readonly {
    /** Its id. */
    readonly id: string;
    /** What waits. */
    readonly kind: "call" | "server";
    /** Id of the server. */
    readonly server: string;
    /** Raw tool name. */
    readonly tool: string;
  }[];
  /** What is wrong with the configuration. */
  readonly problems: readonly ConfigProblem[];
}

/** Causes that only a login changes. */
const logins = new Set(["needs-authorization", "authorization-refused", "auth-required"]);

/** What needs attention, the most urgent first; nothing while all is well. */
export function attentionOf({ servers, approvals, problems }: AttentionInput): AttentionItem[] {
  const waitingEntries = new Set(
    approvals.filter(({ kind }) => kind === "server").map(({ server }) => server),
  );
  const items = [
    ...questions(approvals),
    ...problems.filter(({ severity }) => severity === "error").map(problemItem),
    ...servers.flatMap((server) => (waitingEntries.has(server.id) ? [] : serverItem(server))),
    ...networkItem(servers),
  ];
  return items.toSorted((one, other) => rank(one) - rank(other));
}

const order: readonly AttentionFix["do"][] = [
  "end",
  "decide",
  "login",
  "edit",
  "connect",
  "network",
  "restart",
];

function rank({ fix, tone }: AttentionItem): number {
  return order.indexOf(fix.do) + (tone === "note" ? order.length : 0);
}

function questions(approvals: AttentionInput["approvals"]): AttentionItem[] {
  const groups = new Map<string, AttentionInput["approvals"][number][]>();
  for (const each of approvals) {
    const key = `${each.kind} ${each.server} ${each.tool}`;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups].map(([key, group]) => {
    const { kind, server, tool } = group[0]!;
    const calls =
      group.length === 1 ? `a call of "${tool}" waits` : `${group.length} calls of "${tool}" wait`;
    return {
      id: `decide ${key}`,
      tone: "wait",
      server,
      text:
        kind === "server" ? `its entry of a project file waits for an approval` : `${calls} for an approval`,
      advice: "allow or deny it",
      fix: { do: "decide", approvals: group.map(({ id }) => id) },
    };
  });
}

function problemItem({ file, line, path, message, hint, server }: ConfigProblem): AttentionItem {
  const place = [file, line].filter((each) => each !== undefined).join(":");
  const where = [place, path].filter((each) => each !== undefined && each !== "").join(" ");
  return {
    id: `edit ${where} ${message}`,
    tone: "bad",
    ...(server === undefined ? {} : { server }),
    text: `${where === "" ? "the configuration" : where} ${message}`,
    advice: hint ?? "correct it",
    fix: {
      do: "edit",
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
    },
  };
}

function serverItem({
  id,
  state,
  cause,
  lastError,
  outdated,
  nextAttemptAt,
  pids,
}: AttentionInput["servers"][number]): AttentionItem[] {
  const why = lastError ?? cause;
  const item = (tone: AttentionItem["tone"], fix: AttentionFix, reason = why): AttentionItem[] => [
    {
      id: `${fix.do} ${id}`,
      tone,
      server: id,
      text: plain(reason.message),
      advice: adviceFor(reason, "mend what its log says, and try again"),
      fix,
    },
  ];
  if (state === "stuck") return item("bad", { do: "end", pids }, cause);
  if (state === "authorizing" || (state === "parked" && logins.has(why.kind)))
    return item("bad", { do: "login", server: id });
  if (state === "parked") return item("bad", { do: "connect", server: id });
  if (state === "reconnecting" && nextAttemptAt !== undefined)
    return item("note", { do: "connect", server: id });
  return outdated === true ? item("note", { do: "restart", server: id }) : [];
}

/** One item for all servers that the switch holds back. */
function networkItem(servers: AttentionInput["servers"]): AttentionItem[] {
  const held = servers.filter(({ cause }) => cause.kind === "network-off").length;
  if (held === 0) return [];
  const text = `the network is switched off: ${held === 1 ? "a server is" : `${held} servers are`} held back`;
  return [{ id: "network", tone: "note", text, advice: "switch it on", fix: { do: "network" } }];
}

/** A message without the `server "x"` it begins with: the item names its server. */
function plain(message: string): string {
  return message.replace(/^server "[^"]*":? /, "");
}
