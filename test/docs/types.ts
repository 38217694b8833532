import { join } from "node:path";
import ts from "typescript";
import { type Block, root } from "./blocks.js";

/** What an excerpt may take for granted: the names that the sentences around it speak of. */
const granted = `
declare const supervisor: import("mcpvisor").Supervisor;
declare const createSupervisor: typeof import("mcpvisor").createSupervisor;
declare const fakeServer: typeof import("mcpvisor/testing").fakeServer;
declare const fleetOf: typeof import("mcpvisor/testing").fleetOf;
declare const startTelemetry: typeof import("mcpvisor/http").startTelemetry;
declare const lastFaultAt: number;
declare const openInBrowser: (url: string | undefined) => void;
`;

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ["lib.es2023.d.ts"],
  types: ["node"],
  strict: true,
  noImplicitAny: false,
  skipLibCheck: true,
  noEmit: true,
};

/** What the compiler says of blocks against the built package, each as `place: complaint`. */
export function complaintsOf(blocks: readonly Block[]): string[] {
  const names = new Map(blocks.map((block, index) => [place(`block${index}.mts`), block]));
  const texts = new Map([...names].map(([name, { text }]) => [name, `${text}\nexport {};\n`]));
  texts.set(place("granted.d.ts"), granted);
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (name) => texts.has(name) || disk.fileExists(name),
    readFile: (name) => texts.get(name) ?? disk.readFile(name),
    getSourceFile: (name, language, onError, anew) => {
      const text = texts.get(name);
      return text === undefined
        ? disk.getSourceFile(name, language, onError, anew)
        : ts.createSourceFile(name, text, language, true);
    },
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map((each) => {
    const where = names.get(each.file?.fileName ?? "")?.place ?? each.file?.fileName ?? "";
    return `${where}: ${ts.flattenDiagnosticMessageText(each.messageText, " ")}`;
  });
}

/** Beside the pages, so that the name of the package leads to itself. */
function place(name: string): string {
  return join(root, "docs", name).replaceAll("\\", "/");
}
