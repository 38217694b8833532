import * as z from "zod";
import { cutText } from "../serve/fields.js";

interface Part {
  readonly mimeType?: string | undefined;
  readonly filename?: string | undefined;
  readonly headers?: readonly { name: string; value: string }[] | undefined;
  readonly body?: { size?: number | undefined; data?: string | undefined } | undefined;
  readonly parts?: readonly Part[] | undefined;
}

const partSchema: z.ZodType<Part> = z.lazy(() =>
  z.object({
    mimeType: z.string().optional(),
    filename: z.string().optional(),
    headers: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
    body: z.object({ size: z.number().optional(), data: z.string().optional() }).optional(),
    parts: z.array(partSchema).optional(),
  }),
);

/** A message as Gmail sends it, `full` or `metadata`. */
export const messageSchema = z.object({
  id: z.string(),
  threadId: z.string(),
  labelIds: z.array(z.string()).optional(),
  snippet: z.string().optional(),
  internalDate: z.string().optional(),
  payload: partSchema.optional(),
});
export type GmailMessage = z.infer<typeof messageSchema>;

export const summaryOutput = z.object({
  id: z.string(),
  thread_id: z.string(),
  from: z.string(),
  to: z.string(),
  subject: z.string(),
  date: z.string().describe("ISO 8601"),
  snippet: z.string(),
  labels: z.array(z.string()),
});

export const messageOutput = summaryOutput.omit({ snippet: true }).extend({
  cc: z.string().optional(),
  text: z.string(),
  truncated: z.boolean().optional(),
  attachments: z.array(z.object({ name: z.string(), type: z.string(), bytes: z.number() })),
});

/** The headline of a message. */
export function summaryOf(message: GmailMessage): z.infer<typeof summaryOutput> {
  return { ...headline(message), snippet: message.snippet ?? "" };
}

/** A message with its text: the plain part, or what is legible of the HTML. */
export function readableOf(message: GmailMessage, maxChars: number): z.infer<typeof messageOutput> {
  const cc = headerOf(message, "Cc");
  const parts = message.payload === undefined ? [] : flatten(message.payload);
  return {
    ...headline(message),
    ...(cc !== "" && { cc }),
    ...cutText(textOf(parts), maxChars),
    attachments: parts
      .filter(({ filename }) => filename)
      .map(({ filename, mimeType, body }) => ({
        name: filename ?? "",
        type: mimeType ?? "application/octet-stream",
        bytes: body?.size ?? 0,
      })),
  };
}

/** A header of the message itself, names in any case; empty when it is missing. */
export function headerOf(message: GmailMessage, name: string): string {
  const headers = message.payload?.headers ?? [];
  return headers.find((each) => each.name.toLowerCase() === name.toLowerCase())?.value ?? "";
}

function headline(message: GmailMessage) {
  const at = Number(message.internalDate);
  return {
    id: message.id,
    thread_id: message.threadId,
    from: headerOf(message, "From"),
    to: headerOf(message, "To"),
    subject: headerOf(message, "Subject"),
    date: Number.isFinite(at) ? new Date(at).toISOString() : headerOf(message, "Date"),
    labels: message.labelIds ?? [],
  };
}

function flatten(part: Part): Part[] {
  return [part, ...(part.parts ?? []).flatMap(flatten)];
}

function textOf(parts: readonly Part[]): string {
  const shown = parts.filter(({ filename, body }) => !filename && body?.data);
  const plain = shown.find(({ mimeType }) => mimeType === "text/plain");
  if (plain !== undefined) return decode(plain).trim();
  const html = shown.find(({ mimeType }) => mimeType === "text/html");
  return html === undefined ? "" : legible(decode(html));
}

function decode(part: Part): string {
  const type = part.headers?.find(({ name }) => name.toLowerCase() === "content-type")?.value ?? "";
  const charset = /charset="?([^";\s]+)/i.exec(type)?.[1] ?? "utf-8";
  const bytes = Buffer.from(part.body?.data ?? "", "base64url");
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // A charset nobody knows: most such mails are UTF-8 all the same.
    return bytes.toString("utf8");
  }
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: " ",
  "#39": "'",
};

function legible(html: string): string {
  return html
    .replaceAll(/<(style|script|head)\b[^]*?<\/\1\s*>/gi, "")
    .replaceAll(/<(br|\/p|\/div|\/tr|\/h\d|\/li)\b[^>]*>/gi, "\n")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => entities[name] ?? "")
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n ?/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
