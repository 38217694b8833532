export type { Duration, ServerConfig } from "./config/entries/input.js";
export type { Limits, Scope } from "./spec.js";
export { realClock } from "./clock.js";
export type { Clock, TimerId } from "./clock.js";
export { ConfigError } from "./errors.js";
export type { Cause, CauseKind, ConfigProblem, Failure, FailureKind, Sent } from "./errors.js";
export { isServing } from "./events.js";
export type { Fact, FactOf, FactType, ServerState } from "./events.js";
export type { ContentBlock, ServerInfo, ToolAnnotations } from "./protocol/mcp.js";
export type { CallInfo, Permission, ToolDescriptor, ToolResult } from "./tools/types.js";
export type {
  ApprovalRequest,
  CallOptions,
  CallSubject,
  Decision,
  Logger,
  ReadyReport,
  ServerHandle,
  ServerStatus,
  StopReport,
  Supervisor,
  SupervisorOptions,
} from "./supervisor/types.js";
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
export type {
  ElicitAnswer,
  ElicitRequest,
  InputHandlers,
  LogLevel,
  Root,
  SampleRequest,
} from "./supervisor/inputTypes.js";
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
} from "./supervisor/libraryTypes.js";
