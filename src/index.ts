/**
 * The public door of the library: `import { createSupervisor } from "mcpvisor"`.
 *
 * @module mcpvisor
 */
export type { Duration, SaveOptions, ServerConfig, ServerPatch } from "./config/entries/input.js";
export type { Limits, Scope } from "./spec.js";
export { realClock } from "./clock.js";
export type { Clock, TimerId } from "./clock.js";
export { ConfigError } from "./errors.js";
export type { Cause, CauseKind, ConfigProblem, Failure, FailureKind, Sent } from "./errors.js";
export { isServerFailure, serverMs } from "./callFacts.js";
export type { CallTimes } from "./callFacts.js";
export { attentionOf } from "./policy/attention.js";
export type { AttentionFix, AttentionInput, AttentionItem } from "./policy/attention.js";
export { isServing } from "./events.js";
export type { Fact, FactBody, FactOf, FactType, ServerState } from "./events.js";
export type { RequestId } from "./protocol/jsonrpc.js";
export type { ContentBlock, ServerInfo, ToolAnnotations } from "./protocol/mcp.js";
export type {
  CallInfo,
  Permission,
  ResultBase,
  ToolDefinition,
  ToolDescriptor,
  ToolResult,
} from "./tools/types.js";
export type { Answer, ApprovalRequest, Decision } from "./supervisor/contract/approvals.js";
export type {
  CallBehalf,
  CallOptions,
  CallSubject,
  ServerRequestOptions,
} from "./supervisor/contract/calls.js";
export type { Logger, SupervisorOptions } from "./supervisor/contract/options.js";
export type { AuthorizeRequest } from "./auth/contract.js";
export type { AccountStatus } from "./supervisor/contract/account.js";
export type { OAuthSettings } from "./spec.js";
export type {
  LoginOptions,
  ReadyReport,
  ServerHandle,
  StopReport,
  Supervisor,
} from "./supervisor/contract/supervisor.js";
export type { ServerStatus } from "./supervisor/contract/status.js";
export type {
  ConnectionRequest,
  Envelope,
  Loss,
  Transport,
  TransportEnd,
  TransportHandlers,
  TransportSource,
} from "./transport/transport.js";
export type { PermissionMode } from "./policy/permission.js";
export { createSupervisor } from "./supervisor/createSupervisor.js";
export { gatewayTitle } from "./supervisor/identity.js";
export type {
  ElicitAnswer,
  ElicitRequest,
  InputHandlers,
  LogLevel,
  Root,
  SampleRequest,
} from "./supervisor/contract/inputs.js";
export type {
  Completion,
  CompletionReference,
  Outcome,
  Prompt,
  PromptText,
  Resource,
  ResourceContents,
  ResourceTemplate,
  ServerLibrary,
} from "./supervisor/contract/library.js";
