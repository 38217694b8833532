import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { createProgram } from "../../src/cli/program/program.js";
import { serverStatus } from "../../src/http/routes/schemas.js";
import type { ServerConfig, ServerStatus } from "../../src/index.js";
import { faultTable } from "../../src/testing/fake/faults.js";
import { pages, root } from "./blocks.js";

/** What pages list has to be all that there is: each list here is taken from the types or from the table itself. */

describe("docs/events.md", () => {
  it("lists every fact with its fields", () => {
    const listed = rowsOf("docs/events.md")
      .filter(([type]) => type?.startsWith("`mcp."))
      .map(([type = "", fields = ""]) => [type, fields.split(" ")]);

    expect(new Map(listed.map(([type, fields]) => [type, fields]))).toEqual(
      new Map(facts().map(({ type, fields }) => [`\`${type}\``, fields.map((field) => `\`${field}\``)])),
    );
  });
});

describe("docs/cli.md", () => {
  const text = pages.get("docs/cli.md") ?? "";
  const all = commandsIn(createProgram("0.0.0", () => {}));

  it("names every command in a heading", () => {
    const headings = [...text.matchAll(/^## (.*)$/gm)].flatMap(([, names]) => names!.split(", "));
    const top = all.filter(({ parent }) => parent?.parent === null).map((command) => command.name());

    expect(top.filter((name) => !headings.includes(name))).toEqual([]);
  });

  it("names every flag of every command, or the page it links to does", () => {
    const places = [text, pages.get("docs/gateway.md") ?? ""].join("\n");
    const missing = all.flatMap((command) =>
      command.options
        .filter(({ long }) => !places.includes(long ?? ""))
        .map(({ flags }) => `${command.name()} ${flags}`),
    );

    expect(missing).toEqual([]);
  });
});

describe("docs/chaos.md", () => {
  const rows = rowsOf("docs/chaos.md").map(([faults = "", , over = ""]) => ({
    faults: [...faults.matchAll(/`([a-z][a-z-]+)`(?! keeps)/g)].map(([, fault]) => fault),
    over,
  }));

  it("lists every fault, and where it can be had", () => {
    const wrong = Object.entries(faultTable).filter(([fault, { over }]) => {
      const row = rows.find(({ faults }) => faults.includes(fault));
      const places = over === undefined || over.length === 3 ? "all" : over.join(", ");
      return row?.over !== places;
    });

    expect(wrong.map(([fault, { over }]) => `${fault} over ${over?.join(", ") ?? "all"}`)).toEqual([]);
  });
});

describe("the transports", () => {
  // The compiler holds these to the types.
  const shown: Readonly<Record<ServerStatus["transport"], true>> = {
    stdio: true,
    http: true,
    sse: true,
    memory: true,
  };
  const written: Readonly<Record<NonNullable<ServerConfig["transport"]>, true>> = {
    stdio: true,
    http: true,
    sse: true,
  };

  it("are all in the schema of the API", () => {
    const schema = serverStatus.shape.transport;

    expect(Object.keys(shown).filter((kind) => !schema.safeParse(kind).success)).toEqual([]);
  });

  it.each(["schema/settings.json", "schema/mcp.json", "docs/configuration.md"])("are all in %s", (path) => {
    const text = readFileSync(join(root, path), "utf8");

    expect(
      Object.keys(written).filter((kind) => !text.includes(`"${kind}"`) && !text.includes(`\`${kind}\``)),
    ).toEqual([]);
  });
});

/** The cells of every row of every table of a page. */
function rowsOf(page: string): string[][] {
  return [...(pages.get(page) ?? "").matchAll(/^\|(.*)\|$/gm)].map(([, cells]) =>
    cells!.split("|").map((cell) => cell.trim()),
  );
}

function commandsIn(command: Command): Command[] {
  return [command, ...command.commands.flatMap(commandsIn)];
}

/** The members of the union of facts, those of the unions in it included. */
function facts(file = "events.ts", union = "FactBody"): { type: string; fields: string[] }[] {
  const path = join(root, "src", file);
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ES2023);
  const body = source.statements
    .filter(ts.isTypeAliasDeclaration)
    .find(({ name }) => name.text === union)?.type;
  if (body === undefined || !ts.isUnionTypeNode(body)) throw new Error(`${path} has no union ${union}`);
  return body.types.flatMap((member) => {
    if (ts.isTypeLiteralNode(member)) return [factOf(member, source)];
    const name = member.getText(source);
    const from = new RegExp(`import type \\{ ${name} \\} from "\\./(\\w+)\\.js"`).exec(source.text)?.[1];
    return facts(`${from}.ts`, name);
  });
}

function factOf({ members }: ts.TypeLiteralNode, source: ts.SourceFile): { type: string; fields: string[] } {
  const fields = members.filter(ts.isPropertySignature);
  const type = fields.find((field) => nameOf(field) === "type")?.type?.getText(source) ?? "";
  return {
    type: JSON.parse(type) as string,
    fields: fields.map(shownOf).filter((field) => field !== "type"),
  };
}

function shownOf(field: ts.PropertySignature): string {
  return `${nameOf(field)}${field.questionToken === undefined ? "" : "?"}`;
}

function nameOf({ name }: ts.PropertySignature): string {
  return ts.isIdentifier(name) ? name.text : "";
}
