import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { brokenAnswerId, jsonFault } from "../../src/protocol/brokenJson.js";

const answer = (result: string, id = "3") => `{"jsonrpc": "2.0", "id": ${id}, "result": ${result}}`;

describe("an answer that does not parse", () => {
  it.each([
    [answer('{"mean": NaN}'), 3, "NaN"],
    [answer('{"mean": [1, -Infinity]}'), 3, "-Infinity"],
    [answer('{"a": nan}', '"x"'), "x", "nan"],
    [answer('{"ok": True}'), 3, "True"],
    [answer("{'content': []}"), 3, "a text in single quotes"],
    ["{'jsonrpc': '2.0', 'id': 7, 'result': {'ok': None}}", 7, "a text in single quotes"],
    [`${answer('{"a": 1}')} done`, 3, "something stands behind its end"],
    [`${answer('{"a": 1}')}\0`, 3, "something stands behind its end"],
    [`${answer('{"a": 1}')}${answer("{}", "4")}`, 3, "something stands behind its end"],
    [`INFO: finished ${answer("{}")}`, 3, "something stands before it"],
    [answer('{"text": "a\tb"}'), 3, "a raw control character (U+0009) in a text"],
    [answer('{"text": "\\x41"}'), 3, "an escape that JSON does not know"],
    [answer('{"n": 01}'), 3, "something that is no JSON value"],
    [answer('{"n": hunter2}'), 3, "something that is no JSON value"],
    [answer('{"text": "cut o'), 3, "it breaks off"],
    ['{"result": {"a": NaN}, "id": 9, "jsonrpc": "2.0"}', 9, "NaN"],
    ['{"jsonrpc": "2.0", "id": 3, "error": {"code": 1, "data": NaN}}', 3, "NaN"],
  ])("%j", (text, id, reason) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(brokenAnswerId(text)).toBe(id);
    expect(jsonFault(text)?.reason).toBe(reason);
  });

  it.each([
    [' {"a": NaN}', 7, "NaN"],
    ["\n[tru]", 2, "something that is no JSON value"],
    ['{"a": 1', 7, "it breaks off"],
    ["[[1]", 4, "it breaks off"],
    ['{"a": "b', 8, "it breaks off"],
    ['{"a": xNaN}', 6, "something that is no JSON value"],
    ['{"a": NaNx}', 6, "something that is no JSON value"],
    ['{"a": @}', 6, "something that is no JSON value"],
    ['{"a": undefined}', 6, "undefined"],
    ['{"a": "\\x"}', 7, "an escape that JSON does not know"],
    ['{"a": "b\\', 8, "an escape that JSON does not know"],
    [`{"a": "${String.fromCharCode(0x1f)}"}`, 7, "a raw control character (U+001F) in a text"],
    ["{'a': 1}", 1, "a text in single quotes"],
    ["7", 0, "something stands before it"],
    ["{} {", 3, "something stands behind its end"],
  ])("%j is wrong at %i: %s", (text, at, reason) => {
    expect(jsonFault(text)).toEqual({ at, reason });
  });

  it.each(["", "  ", "{}", "[]", ' {"a": [1, -2.5e+3, true, false, null, "\\u00e9\\n\\""]} \n', "[,]", "{]"])(
    "finds no fault of a word or text in %j",
    (text) => {
      expect(jsonFault(text)).toBeUndefined();
    },
  );

  it("is found with blanks where JSON lets them stand", () => {
    expect(brokenAnswerId('{ "jsonrpc" : "2.0" , "id" : 3 , "result" : NaN}')).toBe(3);
    expect(brokenAnswerId("{\n'jsonrpc' : '2.0', 'id' : 3, 'error' : None}")).toBe(3);
    expect(brokenAnswerId('noise "result": 1, "id": 3}')).toBeUndefined();
  });

  it("is found at either end of a long text", () => {
    const long = "x".repeat(5000);
    expect(brokenAnswerId(`{"id": 3, "result": {"a": NaN, "b": "${long}"}}`)).toBe(3);
    expect(brokenAnswerId(`{"result": {"a": NaN, "b": "${long}"}, "id": 3}`)).toBe(3);
    expect(brokenAnswerId(`${long} {"result": {"a": NaN}, "id": 3}`)).toBe(3);
  });

  it("is told apart from requests, notifications and plain noise", () => {
    for (const text of [
      '{"jsonrpc": "2.0", "id": 3, "method": "ping", "params": NaN}',
      '{"jsonrpc": "2.0", "method": "notifications/x", "params": {"id": 3, "result": NaN}}',
      "{'jsonrpc': '2.0', 'id': 3, 'method': 'ping'}x",
      "listening on port 3",
      '{"level": "info", "msg": "id 3"} x',
      "{}x",
      "",
    ])
      expect([text, brokenAnswerId(text)]).toEqual([text, undefined]);
  });

  it("says where: NaN stands where it says", () => {
    const text = answer('{"mean": NaN}');
    expect(jsonFault(text)).toEqual({ at: text.indexOf("NaN"), reason: "NaN" });
  });

  it("has no fault where JSON.parse finds none, and quotes nothing but words of other languages", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(
          jsonFault(text.replace(/^(?=[^[{])/, "[").concat(/^[^[{]/.test(text) ? "]" : "")),
        ).toBeUndefined();
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(jsonFault(`{"a":${text}`)?.reason ?? "").not.toMatch(/[^\w\s()+\-,]/);
      }),
    );
  });
});
