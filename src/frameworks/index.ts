export { approveInChat } from "./approvals/inChat.js";
export type { ChatApprovalOptions, ChatQuestion } from "./approvals/inChat.js";
export { approvalDesk } from "./approvals/desk.js";
export type {
  ApprovalDesk,
  Asked,
  DeskAnswer,
  DeskOptions,
  DeskQuestion,
  DeskStore,
} from "./approvals/desk.js";
export { hostOf } from "./calls/host.js";
export type { Host, HostOptions } from "./calls/host.js";
export type { RunCall } from "./calls/callRunner.js";
export type { CallOutcome, Media, ModelCall, RunOptions } from "./contract/calls.js";
export { budgetOf } from "./offer/budget.js";
export type { Budget, BudgetReport, ServerBudget, ToolBudget } from "./offer/budget.js";
export { select } from "./offer/select.js";
export type { Fleet, Offer, OfferedTool, OfferOptions, Selection } from "./contract/offer.js";
export { rules } from "./schemas/rules.js";
export type { ProviderRules, Rule } from "./schemas/rules.js";
export { schemaFor } from "./schemas/schemaFor.js";
export { sources } from "./schemas/sources.js";
export type { JsonSchema, Provider, ProviderSchema, SchemaWarning } from "./contract/schema.js";
