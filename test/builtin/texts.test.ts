import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blocksOf, markdownOf } from "../../src/builtin/connectors/notionText.js";
import { readableOf } from "../../src/builtin/gmail/message.js";
import { buildRaw } from "../../src/builtin/gmail/mime.js";
import { cutText } from "../../src/builtin/serve/fields.js";

const mail = { to: ["a@example.com"], cc: [], bcc: [], subject: "Hi", text: "Hello" };

function decode(raw: string): string {
  return Buffer.from(raw, "base64url").toString();
}

describe("a mail that is built", () => {
  it("has the headers and the body that were asked for", () => {
    const raw = buildRaw({
      ...mail,
      to: ["Ann Lee <ann@example.com>", "bob@example.com"],
      cc: ["Zoë <zoe@example.com>"],
      subject: "Grüße",
      text: "One\nTwo",
      inReplyTo: "<m1@example.com>",
      references: "<m0@example.com> <m1@example.com>",
    });

    expect(decode(raw).split("\r\n")).toEqual([
      'To: "Ann Lee" <ann@example.com>,',
      " bob@example.com",
      "Cc: =?UTF-8?B?Wm/Dqw==?= <zoe@example.com>",
      "Subject: =?UTF-8?B?R3LDvMOfZQ==?=",
      "In-Reply-To: <m1@example.com>",
      "References: <m0@example.com> <m1@example.com>",
      "MIME-Version: 1.0",
      'Content-Type: text/plain; charset="UTF-8"',
      "Content-Transfer-Encoding: base64",
      "",
      "T25lDQpUd28=",
      "",
    ]);
  });

  it.each([
    "a@example.com\r\nBcc: eve@example.com",
    "a@example.com,eve@example.com",
    "a@example.com; eve@example.com",
    "nobody",
    "Ann <ann@example.com> <eve@example.com>",
    "<a@b@c>",
  ])("is refused for the recipient %j", (to) => {
    expect(() => buildRaw({ ...mail, to: [to] })).toThrow(/one mail address|one line/);
  });

  it("never gets another header out of a subject, and keeps lines short", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (subject) => {
        let raw: string;
        try {
          raw = buildRaw({ ...mail, subject });
        } catch {
          // Control characters are refused, which is the point.
          return;
        }
        const head = decode(raw).split("\r\n\r\n")[0] ?? "";
        const names = head
          .split("\r\n")
          .filter((line) => !line.startsWith(" "))
          .map((line) => line.split(":")[0]);
        expect(names).toEqual(["To", "Subject", "MIME-Version", "Content-Type", "Content-Transfer-Encoding"]);
      }),
    );
  });
});

function part(mimeType: string, body: Buffer, type = mimeType) {
  return {
    id: "1",
    threadId: "1",
    payload: {
      mimeType,
      headers: [{ name: "Content-Type", value: type }],
      body: { size: body.length, data: body.toString("base64url") },
    },
  };
}

describe("a mail that is read", () => {
  it("shows the legible part of HTML when there is no plain text", () => {
    const html =
      "<html><head><style>p{}</style></head><body><p>Hi&nbsp;&amp; bye</p><div>Line</div><script>x()</script></body></html>";

    expect(readableOf(part("text/html", Buffer.from(html)), 1_000).text).toBe("Hi & bye\nLine");
  });

  it("decodes other charsets", () => {
    const latin = part("text/plain", Buffer.from([0x63, 0x61, 0x66, 0xe9]), "text/plain; charset=ISO-8859-1");

    expect(readableOf(latin, 1_000).text).toBe("café");
  });

  it("cuts long texts and says so", () => {
    const message = readableOf(part("text/plain", Buffer.from("x".repeat(200))), 100);

    expect(message.text).toBe("x".repeat(100));
    expect(message.truncated).toBe(true);
  });
});

describe("a text that is cut", () => {
  it("never ends in half a character", () => {
    expect(cutText("ab😀", 3)).toEqual({ text: "ab", truncated: true });
    expect(cutText("ab😀", 4)).toEqual({ text: "ab😀" });
  });
});

describe("Markdown for Notion", () => {
  it("comes back as it went for the kinds both know", () => {
    const text =
      "# A\n## B\n### C\n- one\n1. two\n- [x] three\n- [ ] four\n> five\nsix\n```javascript\nlet a;\n\nlet b;\n```\n---";

    const blocks = blocksOf(text).map(asRead);

    expect(blocks.map(markdownOf).join("\n")).toBe(text);
  });

  it("splits long texts into pieces Notion takes, losing nothing", () => {
    const long = "😀".repeat(2_500);

    const [block] = blocksOf(long) as [{ paragraph: { rich_text: { text: { content: string } }[] } }];
    const pieces = block.paragraph.rich_text.map(({ text }) => text.content);

    expect(pieces.every((piece) => piece.length <= 2_000)).toBe(true);
    expect(pieces.join("")).toBe(long);
  });
});

/** A block as Notion would send it back. */
function asRead(block: Record<string, unknown>): { id: string; type: string; has_children: boolean } {
  const sent = /\{"type":"text","text":\{"content":("(?:[^"\\]|\\.)*")\}\}/g;
  const text = JSON.stringify({ id: "1", has_children: false, ...block });
  return JSON.parse(text.replaceAll(sent, '{"plain_text":$1}')) as ReturnType<typeof asRead>;
}
