// Finds the packages of Mastra, and what the example needs beside it, where the tests have them: in a folder of their own.
import { register } from "node:module";

const from = new URL("../frameworks/mastra/load.mjs", import.meta.url).href;
const hook = `export const resolve = (name, context, next) =>
  next(name, /^@(mastra|ai-sdk)\\//.test(name) && context.parentURL?.includes("/examples/")
    ? { ...context, parentURL: ${JSON.stringify(from)} } : context);`;

register(`data:text/javascript,${encodeURIComponent(hook)}`);
