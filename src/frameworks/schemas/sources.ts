/** Where a rule is written down or was seen: the provider's documentation, its own SDK, or its refusals in public issues. */
export const sources = {
  openaiStrict: "https://platform.openai.com/docs/guides/structured-outputs#supported-schemas",
  openaiRoot: "https://github.com/langchain-ai/langchainjs/issues/9804",
  openaiNames: "https://platform.openai.com/docs/api-reference/chat/create#chat-create-tools",
  openaiDescription: "https://github.com/getsentry/sentry-mcp/issues/106",
  openaiTools: "https://github.com/zed-industries/zed/issues/32946",
  openaiItems: "https://github.com/ogx-ai/ogx/issues/3004",
  anthropicRoot: "https://github.com/dearlordylord/huly-mcp/issues/66",
  anthropicKeys: "https://github.com/beautyfree/appstore-connect-mcp/issues/2",
  anthropicTools: "https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use",
  anthropicStrict:
    "https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations",
  googleJson:
    "@google/genai, GenerationConfig.responseJsonSchema and FunctionDeclaration.parametersJsonSchema",
  googleSchema: "@google/genai, interface Schema and FunctionDeclaration.parameters",
  googleEnum: "https://github.com/microsoft/azure-devops-mcp/issues/145",
  googleObject: "https://github.com/anomalyco/opencode/issues/11889",
  googleType: "https://github.com/google-gemini/gemini-cli/issues/4400",
  common: "what all three providers take",
} as const;

export type Source = keyof typeof sources;
