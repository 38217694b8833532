import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CookieJar } from "../../src/transport/http/connect/cookies.js";

const now = 1_000_000;

function jarOf(lines: readonly string[], path = "/mcp"): CookieJar {
  const jar = new CookieJar();
  jar.take(lines, path, now);
  return jar;
}

describe("the cookies of a session", () => {
  it.each([
    ["AWSALB=1; Expires=Fri, 31 Dec 2027 23:59:59 GMT; Path=/", "/mcp", "AWSALB=1"],
    ["a=b", "/mcp?x=1", "a=b"],
    ["a=b=c; HttpOnly; Secure; SameSite=None", "/mcp", "a=b=c"],
    ["a=; Path=/", "/mcp", "a="],
    ["a=1; Path=/mcp", "/mcp/more", "a=1"],
    ["a=1; Path=/mcp", "/mcpx", undefined],
    ["a=1; Path=/other", "/mcp", undefined],
    ["a=1; Max-Age=0", "/mcp", undefined],
    ["a=1; Max-Age=-5; Expires=Fri, 31 Dec 2027 23:59:59 GMT", "/mcp", undefined],
    ["a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "/mcp", undefined],
    ["a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "/mcp", "a=1"],
    ["=1", "/mcp", undefined],
    ["no pair", "/mcp", undefined],
    ["bad name=1", "/mcp", undefined],
    ["a=\u0001", "/mcp", undefined],
    ["a=x\r\ny: z", "/mcp", undefined],
  ])("%j sends to %s: %s", (line, path, header) => {
    expect(jarOf([line]).header(path, now)).toBe(header);
  });

  it("go when their time is over, or when they are taken back", () => {
    const jar = jarOf(["a=1; Max-Age=60", "b=2"]);
    expect(jar.header("/mcp", now + 59_999)).toBe("a=1; b=2");
    expect(jar.header("/mcp", now + 60_000)).toBe("b=2");

    jar.take("b=; Max-Age=0", "/mcp", now);
    expect(jar.header("/mcp", now)).toBeUndefined();
    expect(jar.size).toBe(0);
  });

  it("are replaced by name, and never more than 32", () => {
    const jar = jarOf([...Array(40).keys()].map((n) => `c${n}=${n}`));
    expect(jar.size).toBe(32);

    jar.take("c0=new", "/mcp", now);
    expect(jar.size).toBe(32);
    expect(jar.header("/mcp", now)).toMatch(/^c0=new; c1=1/);
  });

  it("never make a header that is none, whatever a server sets", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 60 })), fc.webPath(), (lines, path) => {
        const header = jarOf(lines).header(path, now);
        expect(header ?? "a=b").toMatch(/^[\x21-\x7e]+(?:; [\x21-\x7e]+)*$/);
      }),
    );
  });
});
