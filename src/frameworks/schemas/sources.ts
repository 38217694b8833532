/** Where a rule is written down or was seen: the provider's documentation, its own SDK, or its refusals in public issues. */
export const sources = {
  /** Strict mode of OpenAI. */
  openaiStrict: "https://platform.openai.com/docs/guides/structured-outputs#supported-schemas",
  /** A union at the root is refused by OpenAI. */
  openaiRoot: "https://github.com/langchain-ai/langchainjs/issues/9804",
  /** Names of functions. */
  openaiNames: "https://platform.openai.com/docs/api-reference/chat/create#chat-create-tools",
  /** Length of descriptions. */
  openaiDescription: "https://github.com/getsentry/sentry-mcp/issues/106",
  /** Number of tools. */
  openaiTools: "https://github.com/zed-industries/zed/issues/32946",
  /** Arrays need `items`. */
  openaiItems: "https://github.com/ogx-ai/ogx/issues/3004",
  /** A union at the root is refused by Anthropic. */
  anthropicRoot: "https://github.com/dearlordylord/huly-mcp/issues/66",
  /** Names of properties. */
  anthropicKeys: "https://github.com/beautyfree/appstore-connect-mcp/issues/2",
  /** Definition of tools. */
  anthropicTools: "https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use",
  /** Strict mode of Anthropic. */
  anthropicStrict:
    "https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations",
  /** JSON Schema in Gemini. */
  googleJson:
    "@google/genai, GenerationConfig.responseJsonSchema and FunctionDeclaration.parametersJsonSchema",
  /** The OpenAPI subset of Gemini. */
  googleSchema: "@google/genai, interface Schema and FunctionDeclaration.parameters",
  /** Enums of texts only. */
  googleEnum: "https://github.com/microsoft/azure-devops-mcp/issues/145",
  /** Objects without properties are refused. */
  googleObject: "https://github.com/anomalyco/opencode/issues/11889",
  /** A schema without a type is refused. */
  googleType: "https://github.com/google-gemini/gemini-cli/issues/4400",
  /** What no provider differs in. */
  common: "what all three providers take",
} as const;

export type Source = keyof typeof sources;
