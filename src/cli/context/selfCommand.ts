/**
 * How another program starts this one again. Desktop programs have a PATH of their own, so paths are whole; what npx has
 * fetched may be gone tomorrow, so that npx fetches it again.
 */
export function selfCommand(
  node: string,
  script: string,
  version: string,
): { readonly command: string; readonly args: readonly string[] } {
  const isFetched = /[\\/]_npx[\\/]/.test(script);
  return isFetched
    ? { command: "npx", args: ["-y", `mcpvisor@${version}`] }
    : { command: node, args: [script] };
}
