/**
 * The public door of the service: `import { serve } from "mcpvisor/http"`.
 *
 * @module http
 */
export { createApi, type Api } from "./routes/api.js";
export type { ApiOptions, ConsumerAdmin } from "./routes/apiOptions.js";
export type { RawRequest } from "./routes/rawRequest.js";
export type { FeedLimits } from "./feed/feed.js";
export type { GuardRules } from "./guard/guard.js";
export type { ListenerLimits } from "./service/listener.js";
export { connectService, createServiceClient } from "./client/client.js";
export { ServiceError } from "./client/serviceError.js";
export { type ConsumerRow, type ServiceClient } from "./client/contract.js";
export type { EventOptions } from "./client/events.js";
export { findService, ServiceRunningError, type ServiceInfo } from "./service/lock.js";
export type { Mount } from "./service/mount.js";
export { serve, type ServeOptions, type Service } from "./service/serve.js";
export { ensureToken, rotateToken, type TokenKind, tokenPath } from "./guard/token.js";
export { createLogger, openLogFile, type LogFile, type LogFileOptions } from "./service/logFile.js";
export { startTelemetry, type Telemetry, type TelemetryOptions } from "./telemetry/telemetry.js";
