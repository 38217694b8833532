import { describe, expect, it } from "vitest";
import { lostResponseId, openResponseId } from "../../src/protocol/lostId.js";

describe("the id of a lost response", () => {
  it.each([
    ['{"jsonrpc":"2.0","id":7,"result":{"content":[{"te', 'xxxx"}]}}', 7],
    ['{ "jsonrpc" : "2.0" , "id" : "a-1" , "result" : {', "}}", "a-1"],
    ['{"id":0,"jsonrpc":"2.0","error":{"code":', "}}", 0],
    ['{"result":{"content":[{"type":"text","text":"aaa', 'aa"}]},"jsonrpc":"2.0","id":12}', 12],
    ['{"jsonrpc":"2.0","result":{"a":"', 'b"},"id":"x"} \r', "x"],
    ['[{"jsonrpc":"2.0","id":7,"result":{"content":[{"te', 'xxxx"}]}}]', 7],
    [' [ {"result":{"a":"', '"},"id":8}] ', 8],
    ['{"jsonrpc":"2.0","result":"xxx', 'xx","id":5,"jsonrpc":"2.0"}', 5],
    ['{"jsonrpc":"2.0","result":"xxx', 'xx","id":"x-12","jsonrpc":"2.0"}', "x-12"],
    ['{"jsonrpc":"2.0","result":"xxx', 'xx","id":1.25}', 1.25],
    ['{"jsonrpc":"2.0","result":"xxx', 'xx","a":true,"b":null,"c":-1.5,"id":5}', 5],
    ['[{"result":["a', '"],"x":["y"]},{"result":1,"id":8}]', 8],
    ['[{"result":{"a":"', '"},"id":8}]\n\n', 8],
  ])("is found in %s … %s", (head, tail, id) => {
    expect(lostResponseId(head, tail)).toBe(id);
  });

  it.each([
    ['{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{', "}}"],
    ['{"jsonrpc":"2.0","id":7,"params":{"a', '"},"method":"x"}'],
    ['{"jsonrpc":"2.0","params":{"a', '"},"id":7,"method":"x"}'],
    ['{"jsonrpc":"2.0","id":7,"x":{"a', '"},"method":"m"}'],
    ['{"id":7,"params":{"a', '"},"method":"x","y":{}}'],
    ['{"id":7,"params":["a', '"],"method":"x","y":{},"z":1}'],
    ['{"jsonrpc":"2.0","result":{"text":"', '\\"id\\":7}"}}'],
    ['{"jsonrpc":"2.0","result":{"text":"', '","inner":{"a":1,"id":7}}}'],
    ["xxxxxxxxxxxxxxx", 'xxxx,"id":7}'],
    ["", ""],
  ])("is not guessed from %s … %s", (head, tail) => {
    expect(lostResponseId(head, tail)).toBeUndefined();
  });
});

describe("the id of a response that is still coming in", () => {
  it.each([
    ['{"jsonrpc":"2.0","id":7,"result":{"content":[{"te', 7],
    ['[{"jsonrpc":"2.0","id":"a","error":{"code":', "a"],
    [' [ {"jsonrpc":"2.0","id":"a","error":{"code":', "a"],
    ['{"jsonrpc":"2.0","id":7,"result":["a",', 7],
    ['{"jsonrpc":"2.0","id":7,"result":1', 7],
  ])("is found in %s", (head, id) => {
    expect(openResponseId(head)).toBe(id);
  });

  it.each([
    ['{"result":{"content":[{"type":"text","text":"aaa'],
    ['{"jsonrpc":"2.0","id":7,"params":{"a'],
    ['{"jsonrpc":"2.0","id":7,"method":"x","result":{'],
    ['{"jsonrpc":"2.0","id":7,"resu'],
    ["xxxxxxxxxxxxxxx"],
  ])("is not guessed from %s", (head) => {
    expect(openResponseId(head)).toBeUndefined();
  });
});
