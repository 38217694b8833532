import { excerpt } from "./excerpt.js";

/** What the body of an error says, fit for a message: of a web page its title or first heading, of anything else its beginning. */
export function bodyInWords(text: string, mediaType: string): string {
  const body = text.trim();
  if (!/html/.test(mediaType) && !/^<(?:!doctype\s+html|html|head|body)[\s>]/i.test(body))
    return excerpt(body, 200);
  const title =
    /<title[^>]*>([^<]*)<\/title>/i.exec(body)?.[1] ?? /<h1[^>]*>([^<]*)<\/h1>/i.exec(body)?.[1] ?? "";
  const words = decoded(title).replace(/\s+/g, " ").trim();
  return words === "" ? "a web page" : excerpt(words, 120);
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

function decoded(text: string): string {
  return text.replace(
    /&(?:#(\d{1,6})|([a-z]{2,6}));/gi,
    (whole, code: string | undefined, name: string | undefined) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
      const point = Number(code);
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    },
  );
}
