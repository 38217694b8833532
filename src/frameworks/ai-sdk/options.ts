import type { Tool } from "ai";
import type { HostOptions } from "../calls/host.js";
import type { OfferedTool } from "../contract/offer.js";
import type { Provider } from "../contract/schema.js";

export interface AiSdkOptions extends HostOptions {
  /** Whose rules the schemas follow. Default: `any`, which all providers of the AI SDK take. */
  readonly provider?: Provider;
  /**
   * Who asks for consent: the AI SDK (`needsApproval`, answered in the chat), or the supervisor (its `approve` or the
   * option `approve`). Default: `ai-sdk`.
   */
  readonly approvals?: "ai-sdk" | "supervisor";
  /** More fields of a tool, such as `providerOptions`. */
  readonly more?: (tool: OfferedTool) => Pick<Tool, "providerOptions" | "deferLoading">;
}
