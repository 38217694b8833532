import type { Outcome, ServerLibrary } from "../../src/index.js";

/** The resources and prompts of a server that has none. */
export const emptyLibrary: ServerLibrary = {
  listResources: async () => found([]),
  listResourceTemplates: async () => found([]),
  readResource: async () => found([]),
  subscribeResource: async () => found(() => undefined),
  listPrompts: async () => found([]),
  getPrompt: async () => found({ messages: [] }),
  complete: async () => found({ values: [] }),
};

function found<T>(value: T): Outcome<T> {
  return { ok: true, value, warnings: [] };
}
