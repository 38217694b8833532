import { spawn } from "node:child_process";

/** Opens an https address (or http on this machine) in the browser, without a shell; false when that cannot be done. */
export function openBrowser(address: string): Promise<boolean> {
  if (!mayOpen(address)) return Promise.resolve(false);
  const [command, ...args] = opener(address);
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: "ignore", detached: true, shell: false });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
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
