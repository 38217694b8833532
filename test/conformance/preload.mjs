// The suite imports `globSync` from node:fs, which Node 20 does not have and no client scenario needs: its import of
// `fs` gets one that finds nothing.
import { register } from "node:module";

const url = (code) => `data:text/javascript,${encodeURIComponent(code)}`;
const fs = url(
  `export * from "node:fs"; export { default } from "node:fs"; export const globSync = () => [];`,
);
const hook = `
  export function resolve(specifier, context, next) {
    const mine = context.parentURL?.includes("/@modelcontextprotocol/conformance/dist/");
    return mine && (specifier === "fs" || specifier === "node:fs")
      ? { url: ${JSON.stringify(fs)}, format: "module", shortCircuit: true }
      : next(specifier, context);
  }`;
if (process.versions.node.startsWith("20.")) register(url(hook), import.meta.url);
