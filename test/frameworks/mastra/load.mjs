// What the test needs of a package that is installed in this folder only.
export { createOpenAICompatible } from "@ai-sdk/openai-compatible";
export { Agent } from "@mastra/core/agent";
export { Mastra } from "@mastra/core";
export { createTool } from "@mastra/core/tools";
