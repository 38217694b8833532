/** An opener that goes on for so long is the browser itself. */
const openedAfterMs = 3000;

/** Opens an https address (or http on this machine) in the browser, without a shell; false when that cannot be done. */
export async function openBrowser(address: string): Promise<boolean> {
  if (!mayOpen(address)) return false;
  const { execa } = await import("execa");
  const [command, ...args] = opener(address);
  const child = execa(command, args, { stdio: "ignore", detached: true, cleanup: false, reject: false });
  child.unref();
  let timer: NodeJS.Timeout | undefined;
  const goesOn = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), openedAfterMs);
  });
  const opened = await Promise.race([child.then((end) => !end.failed), goesOn]);
  clearTimeout(timer);
  return opened;
}

/** Whether an address is one a browser may be sent to: no other scheme ever reaches an opener. */
export function mayOpen(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return (
    protocol === "https:" || (protocol === "http:" && ["127.0.0.1", "localhost", "[::1]"].includes(hostname))
  );
}

function opener(address: string): [string, ...string[]] {
  if (process.platform === "darwin") return ["open", address];
  // `start` would need a shell, which would read & and ^ in the address.
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", address];
  return ["xdg-open", address];
}
