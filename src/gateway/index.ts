/**
 * The door of the gateway: one MCP endpoint for many consumers, before a supervisor.
 *
 * @module gateway
 */
export { openGateway, type OpenGateway, type OpenGatewayOptions } from "./open.js";
export type { Gateway } from "./gateway.js";
export type { ConsumerConfig, ConsumerLimits } from "./consumers/consumer.js";
export type { ConsumerInfo, ConsumerRecord, TokenRecord } from "./consumers/consumers.js";
export { Consumers } from "./consumers/consumers.js";
export type { StoredConsumers } from "./consumers/store.js";
export { consumersPath, loadConsumers } from "./consumers/store.js";
export { saveConsumers } from "./consumers/save.js";
export { isGatewayOn, readSection } from "./consumers/section.js";
export { runFront, type FrontOptions } from "./front/front.js";
export { joinService, type ServiceAddress } from "./front/join.js";
