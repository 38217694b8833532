import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  classify,
  encodeError,
  encodeNotification,
  encodeRequest,
  encodeResult,
} from "../../src/protocol/jsonrpc.js";

describe("encoding", () => {
  it("writes the four kinds of messages", () => {
    expect(encodeRequest(1, "ping")).toBe('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    expect(encodeRequest("a", "m", { x: "\n" })).toBe(
      '{"jsonrpc":"2.0","id":"a","method":"m","params":{"x":"\\n"}}',
    );
    expect(encodeNotification("n", {})).toBe('{"jsonrpc":"2.0","method":"n","params":{}}');
    expect(encodeResult(0, undefined)).toBe('{"jsonrpc":"2.0","id":0,"result":{}}');
    expect(encodeError(2, -32601, "no")).toBe(
      '{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no"}}',
    );
  });
});

describe("classify", () => {
  it.each([
    [[], "a list"],
    [null, "no JSON object"],
    [{ jsonrpc: "2.0", id: true, error: {} }, "an error whose id is neither text nor number"],
    [{ jsonrpc: "2.0", id: Number.NaN, error: {} }, "an error whose id is neither text nor number"],
    [{ jsonrpc: "2.0", id: true, result: {} }, "no method and no usable id"],
    [{ jsonrpc: "2.0", id: null, result: {} }, "no method and no usable id"],
    [{ jsonrpc: "2.0", id: 1, method: 7 }, "method is no text"],
    [{ jsonrpc: "2.0", id: null, method: "a" }, "a request whose id is neither text nor number"],
  ])("says of %j that it is odd: %s", (value, why) => {
    expect(classify(value)).toEqual({ kind: "odd", why });
  });

  it.each([
    [7, -32_603, "error without a message"],
    [true, -32_603, "error without a message"],
    ["text", -32_603, "text"],
    [{ code: Number.NaN, message: 7 }, -32_603, "error without a message"],
    [{ code: "5", message: "m" }, -32_603, "m"],
    [{ code: 0, message: "" }, 0, ""],
  ])("mends the error %j to code %i and %j, without a member more", (error, code, message) => {
    const expected = { kind: "error", id: 1, error: { code, message } };

    expect(classify({ jsonrpc: "2.0", id: 1, error })).toStrictEqual(expected);
    expect(classify({ jsonrpc: "2.0", error })).toStrictEqual({ ...expected, id: null });
  });

  it.each([
    [
      { jsonrpc: "2.0", id: 0, result: {} },
      { kind: "result", id: 0, result: {} },
    ],
    [
      { jsonrpc: "2.0", id: "7", result: null },
      { kind: "result", id: "7", result: null },
    ],
    [
      { jsonrpc: "2.0", id: 3 },
      { kind: "result", id: 3, result: undefined },
    ],
    [
      { jsonrpc: "2.0", id: 3, error: null, result: 5 },
      { kind: "result", id: 3, result: 5 },
    ],
    [
      { jsonrpc: "2.0", id: 1, error: { code: 5, message: "m", data: [1] } },
      { kind: "error", id: 1, error: { code: 5, message: "m", data: [1] } },
    ],
    [
      { jsonrpc: "2.0", id: null, error: { code: -32700, message: "parse" } },
      { kind: "error", id: null, error: { code: -32700, message: "parse" } },
    ],
    [
      { jsonrpc: "2.0", id: 1, error: "boom" },
      { kind: "error", id: 1, error: { code: -32603, message: "boom" } },
    ],
    [
      { jsonrpc: "2.0", id: 1, error: {}, result: {} },
      { kind: "error", id: 1, error: { code: -32603, message: "error without a message" } },
    ],
    [
      { jsonrpc: "2.0", id: 9, method: "ping" },
      { kind: "request", id: 9, method: "ping", params: undefined },
    ],
    [
      { jsonrpc: "2.0", method: "n", params: { a: 1 } },
      { kind: "notification", method: "n", params: { a: 1 } },
    ],
  ])("reads %j", (value, expected) => {
    expect(classify(value)).toEqual(expected);
  });

  it.each([
    [null],
    [5],
    ["text"],
    [true],
    [undefined],
    [[{ jsonrpc: "2.0", id: 1, result: {} }]],
    [{}],
    [{ id: 1, result: {} }],
    [{ jsonrpc: "1.0", id: 1, result: {} }],
    [{ jsonrpc: "2.0", id: null, result: {} }],
    [{ jsonrpc: "2.0", id: {}, result: {} }],
    [{ jsonrpc: "2.0", id: Number.POSITIVE_INFINITY, result: {} }],
    [{ jsonrpc: "2.0", result: {} }],
    [{ jsonrpc: "2.0", id: 1, method: 5 }],
    [{ jsonrpc: "2.0", id: null, method: "ping" }],
  ])("takes %j for no message", (value) => {
    expect(classify(value).kind).toBe("odd");
  });

  it("never throws, and gives an answer only for JSON-RPC 2.0 objects", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(["result", "error", "request", "notification", "odd"]).toContain(classify(value).kind);
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const parsed: unknown = JSON.parse(`{"jsonrpc":"2.0","id":1,"result":${JSON.stringify(value)}}`);
        expect(classify(parsed)).toEqual({
          kind: "result",
          id: 1,
          result: JSON.parse(JSON.stringify(value)),
        });
      }),
    );
  });
});
