/** The public door of the service: `import { serve } from "mcpvisor/http"`. */
export { createApi, type Api } from "./api.js";
export type { ApiOptions } from "./apiOptions.js";
export {
  connectService,
  createServiceClient,
  ServiceError,
  type EventOptions,
  type ServiceClient,
} from "./client/client.js";
export { findService, ServiceRunningError, type ServiceInfo } from "./service/lock.js";
export { serve, type ServeOptions, type Service } from "./service/serve.js";
export { ensureToken, rotateToken, tokenPath } from "./guard/token.js";
export { createLogger, openLogFile, type LogFile, type LogFileOptions } from "./service/logFile.js";
export { startTelemetry, type Telemetry, type TelemetryOptions } from "./telemetry/telemetry.js";
