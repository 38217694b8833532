/** What both generations of the official SDK share: their `Client` behind the adapter's four methods. */
export function adapt(client, call) {
  return {
    async listTools() {
      const tools = [];
      for (let cursor; ; ) {
        const page = await client.listTools(cursor === undefined ? {} : { cursor });
        tools.push(...page.tools);
        cursor = page.nextCursor;
        if (cursor === undefined) return tools;
      }
    },
    callTool: call,
    close: () => client.close(),
  };
}
