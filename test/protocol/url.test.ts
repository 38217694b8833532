import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkUrl } from "../../src/protocol/url.js";

const usable = [
  "https://example.com/mcp",
  "https://example.com",
  "https://example.com:8443/mcp?key=1",
  "HTTPS://EXAMPLE.COM/mcp",
  "https://192.168.1.1/mcp",
  "https://[2001:db8::1]/mcp",
  "https://bücher.example/mcp",
  "https://xn--bcher-kva.example/mcp",
  "https://127.0.0.1/mcp",
  "https://localhost/mcp",
  "http://localhost/mcp",
  "http://localhost:8080/mcp",
  "http://LOCALHOST:8080/mcp",
  "http://127.0.0.1/mcp",
  "http://127.0.0.1:3000",
  "http://127.1.2.3/mcp",
  "http://127.255.255.254/mcp",
  "http://[::1]/mcp",
  "http://[::1]:3000/mcp",
  "http://[0:0:0:0:0:0:0:1]/mcp",
  // Other spellings of loopback: the URL standard reads them as 127.0.0.1, and so does what connects.
  "http://2130706433/mcp",
  "http://0x7f000001/mcp",
  "http://0x7f.0.0.1/mcp",
  "http://0177.0.0.1/mcp",
  "http://127.1/mcp",
  "http://127.0.0.1./mcp",
  "http://①②⑦.0.0.1/mcp",
  "http://ⓛocalhost/mcp",
  // A backslash counts as a slash: this is the path /@example.com on this machine.
  "http://localhost\\@example.com/mcp",
  "  https://example.com/mcp  ",
];

const refused = [
  ["https://:pw@example.com/mcp", "user name or password"],
  ["https://me@example.com/mcp", "user name or password"],
  ["http://example.com/mcp", "to this machine only, not to example.com"],
  ["http://10.0.0.1/mcp", "not to 10.0.0.1"],
  ["http://192.168.0.1/mcp", "not to 192.168.0.1"],
  ["http://169.254.169.254/latest/meta-data", "not to 169.254.169.254"],
  ["http://0.0.0.0/mcp", "not to 0.0.0.0"],
  ["http://0/mcp", "not to 0.0.0.0"],
  ["http://128.0.0.1/mcp", "not to 128.0.0.1"],
  ["http://126.255.255.255/mcp", "not to 126.255.255.255"],
  ["http://167772161/mcp", "not to 10.0.0.1"],
  ["http://2852039166/mcp", "not to 169.254.169.254"],
  ["http://0xa9fea9fe/mcp", "not to 169.254.169.254"],
  ["http://0251.0376.0251.0376/mcp", "not to 169.254.169.254"],
  ["http://012.0.0.1/mcp", "not to 10.0.0.1"],
  ["http://[::ffff:127.0.0.1]/mcp", "not to [::ffff:7f00:1]"],
  ["http://[::ffff:10.0.0.1]/mcp", "not to [::ffff:a00:1]"],
  ["http://[::ffff:a9fe:a9fe]/mcp", "not to [::ffff:a9fe:a9fe]"],
  ["http://[::]/mcp", "not to [::]"],
  ["http://[fe80::1]/mcp", "not to [fe80::1]"],
  ["http://[fd00::1]/mcp", "not to [fd00::1]"],
  ["http://localhost.example.com/mcp", "not to localhost.example.com"],
  ["http://127.0.0.1.example.com/mcp", "not to 127.0.0.1.example.com"],
  ["http://127.0.0.1.nip.io/mcp", "not to 127.0.0.1.nip.io"],
  ["http://notlocalhost/mcp", "not to notlocalhost"],
  ["http://localhost@example.com/mcp", "user name or password"],
  ["http://127.0.0.1@example.com/mcp", "user name or password"],
  ["http://127.0.0.1:80@example.com/mcp", "user name or password"],
  ["https://user:secret@example.com/mcp", "user name or password"],
  ["https://user@example.com/mcp", "user name or password"],
  ["http://löcalhost/mcp", "not to xn--lcalhost-n4a"],
  ["http://lοcalhost/mcp", "not to xn--lcalhost-zdg"],
  ["ftp://127.0.0.1/mcp", "ftp: is not supported"],
  ["file:///etc/passwd", "file: is not supported"],
  ["ws://localhost/mcp", "ws: is not supported"],
  ["wss://example.com/mcp", "wss: is not supported"],
  ["javascript:alert(1)", "javascript: is not supported"],
  ["data:text/plain,x", "data: is not supported"],
  ["localhost:3000/mcp", "localhost: is not supported"],
  ["example.com/mcp", "cannot be read"],
  ["/mcp", "cannot be read"],
  ["", "cannot be read"],
  ["https://", "cannot be read"],
  ["http://[::1", "cannot be read"],
  ["http://999.1.1.1/mcp", "cannot be read"],
  ["https://exa mple.com/mcp", "cannot be read"],
  ["http://127.0.0.1:99999/mcp", "cannot be read"],
] as const;

describe("checkUrl", () => {
  it.each(usable)("takes %s", (url) => {
    expect(checkUrl(url)).toBeUndefined();
  });

  it.each(refused)("refuses %s", (url, why) => {
    const cause = checkUrl(url);

    expect(cause?.kind).toBe("config-invalid");
    expect(cause?.message).toContain(why);
  });

  it("never shows what stood before an @", () => {
    expect(checkUrl("https://user:hunter2@example.com/")?.message).not.toContain("hunter2");
  });

  it("takes plain http to an IPv4 address exactly when it begins with 127", () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.constantFrom(10, 16), (number, base) => {
        const host = base === 10 ? String(number) : `0x${number.toString(16)}`;

        expect(checkUrl(`http://${host}/mcp`) === undefined).toBe(number >>> 24 === 127);
      }),
    );
  });

  it("never throws, whatever the text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl()), (text) => {
        const cause = checkUrl(text);

        expect(cause === undefined || cause.kind === "config-invalid").toBe(true);
      }),
    );
  });
});
