/** Where a front of the same user joins the service, and what it asks the connection to become. */
export const linkPath = "/mcp/link";
export const linkProtocol = "mcp-lines";
export const consumerHeader = "mcpvisor-consumer";
export const serverHeader = "mcpvisor-server";
