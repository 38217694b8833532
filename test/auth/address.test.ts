import { describe, expect, it } from "vitest";
import { checkedUrl, isLoopbackHost, placeOf } from "../../src/auth/door/address.js";
import { guardedLookup } from "../../src/auth/door/reach.js";

/** Spellings of addresses that no public server may make us ask. */
const private4 = [
  "0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.254 127.0.0.1 127.255.0.1",
  "169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1",
  "192.168.0.1 192.168.255.255 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1",
  "239.255.255.250 240.0.0.1 255.255.255.255",
].flatMap((line) => line.split(" "));
const own6 = [
  ":: ::1 fc00::1 fd12:3456:789a::1 fe80::1 fe80::1%eth0 febf::1 fec0::1 ff02::1 ff0e::1 100::1",
  "2001:db8::1 2001::1 2001:10::1 64:ff9b:1::1 3fff::1 0:0:0:0:0:0:0:1",
].flatMap((line) => line.split(" "));
const mapped = private4.flatMap((address) => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  return [
    `::ffff:${address}`,
    `::ffff:${hex}`,
    `0:0:0:0:0:ffff:${hex}`,
    `0000:0000:0000:0000:0000:FFFF:${address}`,
    `64:ff9b::${address}`,
    `64:ff9b::${hex}`,
    `2002:${hex}::1`,
    `::${hex}`,
  ];
});
const spellings = [...private4, ...own6, ...mapped];

describe("addresses", () => {
  it("knows 200 spellings of addresses that are not public", () => {
    expect(spellings.length).toBeGreaterThan(200);
    expect(spellings.filter((address) => placeOf(address) === "public")).toEqual([]);
  });

  it.each([
    "8.8.8.8",
    "1.1.1.1",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.0.1",
    "172.32.0.1",
    "192.167.1.1",
    "2606:4700::1111",
    "2a00:1450::5",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
  ])("%s is public", (address) => expect(placeOf(address)).toBe("public"));

  it.each([
    "0x7f.1",
    "2130706433",
    "0177.0.0.1",
    "127.1",
    "[::1]",
    "localhost",
    "localhost.",
    "foo.localhost",
    "[::ffff:127.0.0.1]",
  ])("http://%s/ is this machine", (host) =>
    expect(isLoopbackHost(new URL(`http://${host}/`).hostname)).toBe(true),
  );

  it.each([
    ["javascript:alert(1)", /https/],
    ["file:///etc/passwd", /https/],
    ["data:text/html,x", /https/],
    ["http://example.com/", /https/],
    ["https://user:pass@example.com/", /user name/],
    ["https://example.com/#x", /fragment/],
    ["no address", /not an address/],
    [`https://example.com/${"x".repeat(9000)}`, /not an address/],
    [7, /not an address/],
  ])("refuses %s", (text, why) => expect(() => checkedUrl(text, "the endpoint")).toThrow(why));

  it("judges the very addresses that a name has at the moment of the connection", async () => {
    const answers = ["93.184.216.34", "169.254.169.254"];
    const lookup = guardedLookup({ private: false, loopback: false }, (_name, _options, found) =>
      found(null, [{ address: answers.shift()!, family: 4 }]),
    );
    const look = () =>
      new Promise<Error | null>((resolve) =>
        lookup("rebinding.example", { all: true }, (error) => resolve(error)),
      );

    expect(await look()).toBeNull();
    expect((await look())?.message).toMatch(/reserved network/);
  });

  it("refuses a name as soon as one of its addresses is private", async () => {
    const lookup = guardedLookup({ private: false, loopback: false }, (_name, _options, found) =>
      found(null, [
        { address: "93.184.216.34", family: 4 },
        { address: "10.0.0.1", family: 4 },
      ]),
    );
    const error = await new Promise<Error | null>((resolve) =>
      lookup("a.example", {}, (reason) => resolve(reason)),
    );

    expect(error?.message).toMatch(/private network/);
  });
});
