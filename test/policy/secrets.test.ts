import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMasker, maskDeep, maskUrl } from "../../src/policy/secrets.js";

const secret = "tok/SECRET 98+765";

describe("createMasker", () => {
  const mask = (text: string): string => createMasker([secret, 'pass"word\n1', "short"])(text);

  it.each([
    ["raw", `a ${secret} b`, "a ******** b"],
    ["URL-encoded", `k=tok%2FSECRET%2098%2B765&x`, "k=********&x"],
    ["URL-encoded in lower case", `k=tok%2fSECRET%2098%2b765`, "k=********"],
    ["as a form encodes it", `k=tok%2FSECRET+98%2B765`, "k=********"],
    ["base64", `b64 ${btoa(secret)}!`, "b64 ********!"],
    ["base64url", `b64 ${btoa(secret).replaceAll("+", "-").replaceAll("/", "_")}`, "b64 ********"],
    ["JSON-escaped", JSON.stringify({ k: 'pass"word\n1' }), '{"k":"********"}'],
    ["twice", `${secret}${secret}`, "****************"],
  ])("masks a secret %s", (_, text, expected) => {
    expect(mask(text)).toBe(expected);
  });

  it("masks a secret inside a longer base64 text, as in Basic credentials", () => {
    const long = "a-long-enough-secret-value";
    for (const user of ["u", "us", "use", "user"]) {
      const shown = createMasker([long])(`Basic ${btoa(`${user}:${long}`)}`);
      const rest = shown.replaceAll("********", "").replace("Basic ", "");
      expect(shown).toContain("********");
      expect(rest.length).toBeLessThan(12);
    }
  });

  it("returns a text without a secret as it is", () => {
    expect(mask("nothing to hide")).toBe("nothing to hide");
    expect(createMasker([])("tok")).toBe("tok");
  });

  it("leaves values of fewer than 6 characters and plain configuration words alone", () => {
    const plain = createMasker(["true", "1", "", "short", "production", "localhost"]);

    expect(plain("it is true that short production runs on localhost take 1 s")).toBe(
      "it is true that short production runs on localhost take 1 s",
    );
    expect(createMasker(["sixsix"])("sixsix")).toBe("********");
  });

  it("masks both of two secrets that overlap, without leaving a tail", () => {
    expect(createMasker(["abcdef", "defghij"])("-abcdefghij-")).toBe("-********-");
    expect(createMasker(["abcdef", "abcdefgh"])("abcdefgh")).toBe("********");
  });

  it("masks a secret that overlaps itself, without leaving a tail", () => {
    expect(createMasker(["abcabc"])("abcabcabc")).toBe("********");
    expect(createMasker(["aaaaaa"])("-aaaaaaa-")).toBe("-********-");
    expect(createMasker(["abcdef"])("abcdefabcdef")).toBe("****************");
  });

  it("masks the credentials of a header and the password of a URL by themselves", () => {
    const masked = createMasker(["Bearer abc-123-def", "postgres://me:p%40ssw0rd@db/x"]);

    expect(masked("rejected abc-123-def")).toBe("rejected ********");
    expect(masked("login p@ssw0rd failed, p%40ssw0rd")).toBe("login ******** failed, ********");
  });

  it.each([
    ["blanks around it", [" abcdef-1 "], "x abcdef-1.", "x ********."],
    ["blanks before its credentials", ["  Bearer   abc-123-def "], "no abc-123-def", "no ********"],
    ["another word before its credentials", ["notbearer abcdefgh"], "abcdefgh", "abcdefgh"],
    ["five characters, also as base64", ["short"], "short c2hvcnQ= c2hvcnQ", "short c2hvcnQ= c2hvcnQ"],
    ["a form's characters", ["it's(a)~secret!"], "k=it%27s%28a%29%7Esecret%21", "k=********"],
    ["a lone surrogate", ["lone\ud800-surrogate"], "k=lone%EF%BF%BD-surrogate", "k=********"],
    [
      "JSON inside of JSON",
      ['quote"and\\'],
      JSON.stringify(JSON.stringify('quote"and\\')),
      '"\\"********\\""',
    ],
    ["a password that is no percent code", ["a://b:100%-secret@c"], "100%-secret", "********"],
    ["base64 without its padding", ["1234567"], "MTIzNDU2Nw MTIzNDU2Nw==", "******** ********"],
    ["base64 of two bytes over", ["12345678"], "MTIzNDU2Nzg=", "********"],
  ])("masks a secret with %s", (_, secrets, text, shown) => {
    expect(createMasker(secrets)(text)).toBe(shown);
  });

  it.each([0, 1, 2])("masks a secret in base64 behind %i other bytes, whatever follows", (before) => {
    for (const after of ["", "x", "xy", "xyz"]) {
      for (const value of ["secret", "secret1", "secret12"]) {
        const shown = createMasker([value])(btoa("a".repeat(before) + value + after));

        // At most the characters at both ends, which depend on what is beside it, are left.
        expect(shown.replace("********", "").length).toBeLessThanOrEqual(10);
        expect(shown).toContain("********");
      }
    }
  });

  it.each([
    ["its beginning before a cut", "token is abcdefgh…", "token is ********…"],
    ["its end behind a cut", "…cdefghij is wrong", "…******** is wrong"],
    ["four characters of it", "abcd… and …ghij", "********… and …********"],
    ["three characters of it", "abc… and …hij", "abc… and …hij"],
    ["a part that is no beginning", "bcde…", "bcde…"],
    ["a part that is no end", "…cdefg", "…cdefg"],
    ["the longest part that fits", "xabcdefghi…", "x********…"],
    ["both sides of one cut", "abcdef…efghij", "********…********"],
    ["whole, beside a cut", "abcdefghij…abcdefghij", "********…********"],
    ["a text of nothing else", "abcd…", "********…"],
  ])("masks a secret of which a cut has left %s", (_, text, shown) => {
    expect(createMasker(["abcdefghij"])(text)).toBe(shown);
  });

  it("masks each line of a secret of several lines", () => {
    expect(createMasker(["first-line\nsecond-line"])("stderr: second-line")).toBe("stderr: ********");
  });

  it("lets no secret through, whatever the texts around it", () => {
    const value = fc
      .string({ unit: "grapheme", minLength: 6, maxLength: 40 })
      .filter((each) => !/[*\s]/.test(each));
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 5 }),
        fc.string(),
        fc.string(),
        (secrets, before, after) => {
          const hide = createMasker(secrets);
          for (const each of secrets) {
            const text = [each, encodeURIComponent(each), JSON.stringify(each)].join(before) + after;
            const shown = hide(before + text);
            expect(shown.includes(each)).toBe(false);
            expect(shown.includes(encodeURIComponent(each))).toBe(false);
          }
        },
      ),
    );
  });

  it("changes nothing but the secrets", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z ]*$/), fc.stringMatching(/^[A-Z0-9]{6,12}$/), (text, value) => {
        expect(createMasker([value])(`${text}${value}${text}`)).toBe(`${text}********${text}`);
      }),
    );
  });
});

const nested = (levels: number, wrap: (value: unknown) => unknown): unknown =>
  Array.from({ length: levels }).reduce(wrap, "secret-1");

describe("maskDeep", () => {
  it("masks texts and keys at any depth and keeps everything else", () => {
    const mask = createMasker(["secret-1"]);

    expect(maskDeep({ a: ["x secret-1", 1, null, { "secret-1": true }], n: 2 }, mask)).toEqual({
      a: ["x ********", 1, null, { "********": true }],
      n: 2,
    });
  });

  it("masks down to 500 levels, of objects and of lists, and shows nothing below", () => {
    const mask = createMasker(["secret-1"]);

    for (const wrap of [(value: unknown) => [value], (value: unknown) => ({ a: value })]) {
      const text = (levels: number): string => JSON.stringify(maskDeep(nested(levels, wrap), mask));
      expect(text(3)).toBe(JSON.stringify(nested(3, wrap)).replace("secret-1", "********"));
      for (const levels of [500, 501, 600]) expect(text(levels)).not.toContain("secret-1");
      const deepest = nested(500, wrap);
      expect(JSON.stringify(maskDeep(deepest, (each) => each))).toBe(JSON.stringify(deepest));
      expect(JSON.stringify(maskDeep(nested(501, wrap), (each) => each))).toContain("********");
    }
  });

  it("keeps a key named __proto__ inert and ends at deep nesting", () => {
    const mask = createMasker(["secret-1"]);
    const masked = maskDeep(JSON.parse('{"__proto__":{"polluted":"secret-1"}}'), mask);
    let deep: unknown = "secret-1";
    for (let level = 0; level < 100_000; level++) deep = [deep];

    expect(Object.getPrototypeOf(masked)).toBe(Object.prototype);
    expect(JSON.stringify(masked)).toBe('{"__proto__":{"polluted":"********"}}');
    expect(() => maskDeep(deep, mask)).not.toThrow();
  });
});

describe("maskUrl", () => {
  it.each([
    ["https://example.com/mcp", "https://example.com/mcp"],
    ["https://me:pw@example.com/mcp", "https://example.com/mcp"],
    ["https://example.com/mcp?key=abc&x=1#top", "https://example.com/mcp?key=********&x=********"],
    ["https://example.com/?token", "https://example.com/?********"],
    ["not a url?key=abc", "not a url?key=********"],
    ["https://example.com/#a=b?c", "https://example.com/"],
    ["https://a@b@example.com/", "https://example.com/"],
    ["//me:pw@example.com/x", "//example.com/x"],
    ["https://example.com/a//b@c", "https://example.com/a//b@c"],
    ["?key=abc", "?key=********"],
    ["https://example.com/?=abc&b", "https://example.com/?=********&********"],
    ["https://example.com/\n#a", "https://example.com/\n"],
  ])("shows %s as %s", (url, shown) => {
    expect(maskUrl(url)).toBe(shown);
  });
});
