import { realClock } from "../../index.js";
import type { Checkup } from "./checkup.js";
import type { Finding } from "./finding.js";

/** Programs with one screen, tab or login for everybody who uses them. */
const oneForAll = /playwright|puppeteer|browser|chrome|selenium/i;

/** What is wrong with the consumers of the gateway, or surprises. Pure. */
export function ofConsumers(
  { consumers, servers }: Pick<Checkup, "consumers" | "servers">,
  now = realClock.now(),
): Finding[] {
  const { records, problems, unnamed } = consumers;
  const ids = servers.map(({ spec }) => spec.id);
  return [
    ...problems.map((message) => note("warning", "consumers", message, "correct it there")),
    ...(unnamed === undefined
      ? []
      : [note("note", "gateway", `who sends no token is "${unnamed}"`, "nothing, if that is wanted")]),
    ...records.flatMap(({ name, config, token }) => {
      const about = `consumer "${name}"`;
      const rules = Array.isArray(config.servers) ? config.servers : [];
      const lost = rules.filter((rule) => !rule.includes("*") && !ids.includes(rule));
      return [
        ...((token?.expiresAt ?? Infinity) <= now
          ? [note("note", about, "its token has expired", `mcpvisor consumers rotate ${name}`)]
          : []),
        ...lost.map((id) =>
          note(
            "warning",
            about,
            `may use server "${id}", which there is not`,
            `mcpvisor consumers add ${name} --servers …`,
          ),
        ),
      ];
    }),
    ...(records.length < 2 ? [] : servers.flatMap(ofShared)),
  ];
}

function ofShared({ spec }: Checkup["servers"][number]): Finding[] {
  const { id, target, sharing, enabled } = spec;
  const words = target.kind === "stdio" ? [id, target.command, ...target.args].join(" ") : id;
  if (!enabled || sharing !== "auto" || target.kind !== "stdio" || !oneForAll.test(words)) return [];
  const message = "all consumers would use one browser together";
  return [note("note", `server "${id}"`, message, 'write "sharing": "consumer" into its entry for one each')];
}

function note(level: Finding["level"], about: string, message: string, todo: string): Finding {
  return { level, about, message, todo };
}
