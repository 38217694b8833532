import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serviceCases } from "./cases/all.js";
import type { Canned, Seen } from "./support/fake.js";
import { canary, type Fleet, startFleet } from "./support/fleet.js";
import { call, initialize, type Stdio, start } from "./support/stdio.js";

let fleet: Fleet;
let servers: Record<"gmail" | "connectors", Stdio>;
let hasty: Record<"gmail" | "connectors", Stdio>;

beforeAll(async () => {
  fleet = await startFleet();
  const pair = (extra: string[]) => ({
    gmail: start("gmail", [...fleet.args.gmail, ...extra]),
    connectors: start("connectors", [...fleet.args.connectors, ...extra]),
  });
  servers = pair([]);
  hasty = pair(["--timeout", "0.7"]);
  await Promise.all([...Object.values(servers), ...Object.values(hasty)].map(initialize));
});

afterAll(async () => {
  await Promise.all([...Object.values(servers), ...Object.values(hasty)].map((server) => server.close()));
  await fleet.close();
});

describe.each(serviceCases)("the tools of $name", (service) => {
  const { id, signed, tools } = service;
  const name = id === "gmail" ? "gmail" : "connectors";

  it.each(tools)(
    "$tool does what it says and returns what it promises",
    async ({ tool, args, routes, result, asks }) => {
      const fake = fleet.fake(id);
      fake.mood({ kind: "routes", routes });

      const answer = await call(servers[name], tool, args);

      expect(answer).toEqual({ isError: false, structured: result, text: JSON.stringify(answer.structured) });
      for (const seen of fake.seen)
        expect(seen.headers[signed[0]]).toBe(signed[1].replace("TOKEN", canary(id)));
      const last = fake.seen.at(-1);
      expect(last?.query).toEqual(asks?.query ?? last?.query);
      expect(last?.json).toEqual(asks?.json ?? last?.json);
    },
  );

  it.each(tools)("$tool refuses bad arguments without a request, naming the field", async ({ tool, bad }) => {
    const fake = fleet.fake(id);
    fake.mood({ kind: "routes", routes: {} });

    const answer = await call(servers[name], tool, bad.args);

    expect(answer.isError).toBe(true);
    expect(answer.text).toContain(bad.says);
    expect(fake.seen).toEqual([]);
  });

  it.each(tools)(
    "$tool tells that the token has run out and how to connect again",
    async ({ tool, args }) => {
      fleet.fake(id).mood({ kind: "always", answer: () => withToken(service.expired, id) });

      const answer = await call(servers[name], tool, args);

      expect(answer.isError).toBe(true);
      expect(answer.text).toContain(`${service.name} refused the token`);
      expect(answer.text).toContain(`mcpvisor connect ${id}`);
      expect(answer.text).toContain("[secret]");
      expect(fleet.fake(id).seen).toHaveLength(1);
    },
  );

  it.each(tools)("$tool tells how long the rate limit lasts", async ({ tool, args }) => {
    fleet.fake(id).mood({ kind: "always", answer: () => service.limited });

    const answer = await call(servers[name], tool, args);

    expect(answer.isError).toBe(true);
    expect(answer.text).toContain(`${service.name} allows no more requests now`);
    expect(answer.text).toContain(`Try again ${service.wait}`);
    expect(answer.text).toContain("[rate-limited]");
    expect(fleet.fake(id).seen).toHaveLength(1);
  });

  it.each(tools)("$tool gives up on a service that does not answer", async ({ tool, args, kind, routes }) => {
    const fake = fleet.fake(id);
    fake.mood({ kind: "routes", routes, hangs: (seen) => kind === "read" || !isLookup(seen) });

    const answer = await call(hasty[name], tool, args);

    expect(answer.isError).toBe(true);
    expect(answer.text).toContain(`${service.name} did not answer within 0.7 s`);
    expect(answer.text).toContain(
      kind === "read" ? "Nothing was changed" : "Whether it was carried out is not known",
    );
  });
});

describe("all those calls", () => {
  it("let no token out on stdout or stderr, and leave servers that end well", async () => {
    const all = [...Object.values(servers), ...Object.values(hasty)];
    const codes = await Promise.all(all.map((server) => server.close()));
    const output = all.map((server) => server.stdout() + server.stderr()).join("\n");

    expect(codes).toEqual([0, 0, 0, 0]);
    expect(output).toContain("[secret]");
    const shown = serviceCases
      .flatMap(({ id }) => spellings(canary(id)))
      .filter((each) => output.includes(each));
    expect(shown).toEqual([]);
  });
});

/** What a writing tool looks up before it writes. */
function isLookup({ method, json }: Seen): boolean {
  return method === "GET" || (isObject(json) && String(json["query"]).startsWith("query"));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function withToken({ body, ...rest }: Canned, id: string): Canned {
  return { ...rest, body: JSON.parse(JSON.stringify(body).replace("TOKEN", canary(id))) as unknown };
}

function spellings(secret: string): string[] {
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64")];
}
