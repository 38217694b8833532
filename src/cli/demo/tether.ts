import { Server } from "node:net";

/**
 * Loaded into a server process before its own code: binds it to 127.0.0.1, tells the parent its port, and ends it
 * as soon as the channel to the parent closes, which also happens when the parent is killed.
 */
process.on("disconnect", () => process.exit(0));

const listen = Reflect.get(Server.prototype, "listen") as (...args: unknown[]) => Server;

Server.prototype.listen = function onLoopback(this: Server, port: unknown, ...rest: unknown[]): Server {
  this.once("listening", () => {
    const address = this.address();
    if (address !== null && typeof address === "object") process.send?.({ port: address.port });
  });
  return Reflect.apply(listen, this, [{ port: Number(port), host: "127.0.0.1" }, ...rest]);
};
