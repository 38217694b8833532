import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createProgram } from "../../src/cli/program/program.js";
import { createSupervisor } from "../../src/index.js";
import { findService, openLogFile, serve } from "../../src/http/index.js";
import { fakeContext } from "../cli/support/fakeContext.js";
import { fakeSupervisor as cliSupervisor } from "../cli/support/fakeSupervisor.js";
import { fakeSupervisor } from "../http/fakeSupervisor.js";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mcpvisor-own-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const mode = (path: string): number => statSync(path).mode & 0o777;

const info = (more: object): string =>
  JSON.stringify({ pid: process.pid, processStart: "", startedAt: 1, ...more });

/** A folder with this mode, whatever the umask is. */
function folderOf(name: string, bits: number): string {
  const path = join(folder, name);
  mkdirSync(path);
  chmodSync(path, bits);
  return path;
}

describe.skipIf(process.platform === "win32")("the folder of a socket", () => {
  it("stays as it is when it was there: 0755 is judged, and used", async () => {
    const shared = folderOf("shared", 0o755);
    const socket = join(shared, "x.sock");
    const service = await serve(fakeSupervisor(), { home: join(folder, "home"), socket, dashboard: false });
    const [inside, outside] = [mode(socket), mode(shared)];
    await service.close();

    expect(inside).toBe(0o600);
    expect(outside).toBe(0o755);
  });

  it.each([0o777, 0o775, 0o1777])(
    "is refused, and not changed, when others can write it (%o)",
    async (bits) => {
      const shared = folderOf("shared", bits);
      const socket = join(shared, "x.sock");
      const home = join(folder, "home");

      await expect(serve(fakeSupervisor(), { home, socket, dashboard: false })).rejects.toThrow(
        /written by others/,
      );
      expect(statSync(shared).mode & 0o1777).toBe(bits);
      expect(existsSync(socket)).toBe(false);
      expect(await findService(home)).toBeUndefined();
    },
  );

  it("is made private when it was not there", async () => {
    const socket = join(folder, "new", "x.sock");
    const service = await serve(fakeSupervisor(), { home: join(folder, "home"), socket, dashboard: false });
    const made = mode(join(folder, "new"));
    await service.close();
    expect(made).toBe(0o700);
  });
});

describe.skipIf(process.platform === "win32")("a state folder that is not ours alone", () => {
  const wrong = {
    "writable by others": () => folderOf("home", 0o777),
    "writable by the group": () => folderOf("home", 0o770),
    "a link": () => {
      const link = join(folder, "home");
      symlinkSync(folderOf("real", 0o700), link);
      return link;
    },
    "a file": () => {
      const file = join(folder, "home");
      writeFileSync(file, "");
      return file;
    },
  };

  it.each(Object.entries(wrong))(
    "%s: no supervisor starts in it, and it stays as it is",
    async (_name, make) => {
      const home = make();
      const before = lstatSync(home).mode;
      const supervisor = createSupervisor({ home, discover: true, handleSignals: false });
      onTestFinished(() => void supervisor.stop());

      await expect(supervisor.start()).rejects.toThrow(/the state folder .* choose another/);
      expect(lstatSync(home).mode).toBe(before);
    },
  );

  it.each(Object.entries(wrong))("%s: no service, and it stays as it is", async (_name, make) => {
    const home = make();
    const before = lstatSync(home).mode;

    await expect(serve(fakeSupervisor(), { home, dashboard: false })).rejects.toThrow(home);
    expect(lstatSync(home).mode).toBe(before);
  });

  const { commands } = createProgram("0", () => undefined);
  const withHome = commands
    .flatMap((command) => [command, ...command.commands])
    .filter(({ options }) => options.some(({ long }) => long === "--home"))
    .map((command) => ({
      name:
        command.parent?.name() === "mcpvisor"
          ? command.name()
          : `${command.parent?.name()} ${command.name()}`,
      args: command.registeredArguments
        .filter(({ required }) => required)
        .map(({ argChoices }) => argChoices?.[0] ?? "x"),
    }))
    .filter(({ name }) => name !== "doctor");

  it.each(withHome)("`$name` refuses it before it reads anything", async ({ name, args }) => {
    const home = folderOf("home", 0o777);
    const { context } = fakeContext(cliSupervisor({}).supervisor);
    const runs: ((given: typeof context) => Promise<number>)[] = [];
    createProgram("0", (run) => runs.push(run)).parse([...name.split(" "), ...args, "--home", home], {
      from: "user",
    });

    expect(runs).toHaveLength(1);
    await expect(runs[0]!(context)).rejects.toThrow(/the state folder .* can be written by others/);
    expect(mode(home)).toBe(0o777);
  });

  it("is asked of every command that has one", () => {
    expect(withHome.length).toBeGreaterThan(15);
  });
});

describe.skipIf(process.platform === "win32")("service.json", () => {
  it.each([
    ["writable by others", (file: string) => chmodSync(file, 0o666)],
    [
      "a link",
      (file: string) => {
        const real = join(folder, "planted.json");
        writeFileSync(real, readFileSync(file));
        rmSync(file);
        symlinkSync(real, file);
      },
    ],
  ])("%s is refused: the token would go to the address in it", async (_name, spoil) => {
    const home = folderOf("home", 0o700);
    const file = join(home, "service.json");
    writeFileSync(file, info({ url: "http://127.0.0.1:1" }), { mode: 0o600 });
    spoil(file);

    await expect(findService(home)).rejects.toThrow(file);
  });

  it.each([
    "http://example.com/",
    "https://127.0.0.1:1/",
    "http://127.0.0.1.example.com/",
    "http://user@127.0.0.1/",
    "http://10.0.0.1:80",
    "file:///etc/passwd",
    "no address",
    17,
  ])("%j in it is no address of a service", async (url) => {
    const home = folderOf("home", 0o700);
    writeFileSync(join(home, "service.json"), info({ url }), { mode: 0o600 });

    expect(await findService(home)).not.toHaveProperty("url");
  });

  it("tells a loopback address when the service listens everywhere", async () => {
    const home = join(folder, "home");
    const service = await serve(fakeSupervisor(), {
      home,
      host: "0.0.0.0",
      allowRemote: true,
      dashboard: false,
    });
    const found = await findService(home);
    await service.close();
    expect(found?.url).toBe(`http://127.0.0.1:${service.port}`);
  });
});

describe.skipIf(process.platform === "win32")("a log file", () => {
  it("is not followed through a link, and its target stays as it is", () => {
    const target = join(folder, "target");
    writeFileSync(target, "theirs\n");
    symlinkSync(target, join(folder, "x.log"));

    expect(() => openLogFile(join(folder, "x.log"))).toThrow("is no plain file");
    expect(readFileSync(target, "utf8")).toBe("theirs\n");
  });

  it("of ours that others could read is private from now on, and goes on", () => {
    const path = join(folder, "x.log");
    writeFileSync(path, "before\n", { mode: 0o644 });
    const log = openLogFile(path);
    log.write("after\n");
    log.close();

    expect(mode(path)).toBe(0o600);
    expect(readFileSync(path, "utf8")).toBe("before\nafter\n");
  });

  it("is no folder", () => {
    expect(() => openLogFile(folderOf("x.log", 0o700))).toThrow("EISDIR");
  });
});
