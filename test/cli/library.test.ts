import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fixture, openSandbox, serversFile } from "./support/binary.js";

let sandbox: ReturnType<typeof openSandbox>;
let config: string;

beforeEach(() => {
  sandbox = openSandbox();
  const librarian = fixture("librarian.mjs");
  config = sandbox.file("mcp.json", serversFile({ books: [librarian], bare: [librarian, "--bare"] }));
});

afterEach(() => sandbox.close());

const patient = { timeout: 90_000 };
const run = (...args: string[]) => sandbox.run([...args, "--config", config]);

describe("resources and prompts on the command line", () => {
  it("lists the resources and templates of all servers", patient, async () => {
    const table = await run("resources");
    const json = await run("resources", "--json");

    expect(table).toMatchObject({ code: 0 });
    expect(table.stdout).toMatch(/^SERVER +RESOURCE +NAME +TYPE\nbooks +note:\/\/1 +One +-\n/);
    expect(JSON.parse(json.stdout)).toEqual({
      resources: [
        { server: "books", uri: "note://1", name: "One" },
        { server: "books", uri: "note://2", name: "Two", mimeType: "text/plain" },
      ],
      templates: [{ server: "books", uriTemplate: "note://{id}", name: "Note" }],
      failures: [],
    });
  });

  it("reads a resource and completes an argument of a template", patient, async () => {
    expect(await run("resources", "books", "note://1")).toMatchObject({
      code: 0,
      stdout: "text of note://1\n",
    });
    expect(await run("resources", "books", "note://{id}", "--complete", "id=4")).toMatchObject({
      code: 0,
      stdout: "4!\nnull\n",
    });
  });

  it("lists prompts, fills one in and completes an argument", patient, async () => {
    expect((await run("prompts", "books")).stdout).toMatch(/^SERVER .*\nbooks +greet +who\n$/);
    expect(await run("prompts", "books", "greet", "--arg", "who=Ann")).toMatchObject({
      code: 0,
      stdout: "user: Say hello to Ann\n",
    });
    const completed = await run("prompts", "books", "greet", "--complete", "who=A", "--json");
    expect(JSON.parse(completed.stdout)).toMatchObject({ ok: true, value: { total: 2 } });
  });

  it("says what went wrong, and which server there is not", patient, async () => {
    const failed = await run("resources", "bare", "note://1");
    expect(failed).toMatchObject({ code: 1, stdout: "" });
    expect(failed.stderr).toMatch(/bare/);

    const nobody = await run("prompts", "nobody");
    expect(nobody.code).toBe(2);
    expect(nobody.stderr).toContain('there is no server "nobody"');

    const wrong = await run("prompts", "books", "greet", "--arg", "who");
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('--arg "who" has no "="');
  });
});
