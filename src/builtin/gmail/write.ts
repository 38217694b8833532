import type { Client } from "../contract/client.js";
import * as z from "zod";
import { path } from "../client/url.js";
import { defineTool } from "../serve/tool.js";
import { headerOf, messageSchema } from "./message.js";
import { buildRaw } from "./mime.js";
import { idField } from "./read.js";

const recipients = (what: string) =>
  z.array(z.string().min(3).max(320)).max(100).describe(`${what}, each a@b.c or Name <a@b.c>`);

const mailInput = z.strictObject({
  to: recipients("Recipients").min(1),
  cc: recipients("Copies").default([]),
  bcc: recipients("Hidden copies").default([]),
  subject: z.string().max(900).optional().describe("Left out in an answer: Re: and the old subject"),
  text: z.string().min(1).max(500_000).describe("Plain text"),
  reply_to_message_id: idField.optional().describe("Message that this answers; stays in its conversation"),
});

const sent = z.object({ id: z.string(), threadId: z.string() });

const createDraft = defineTool({
  service: "gmail",
  name: "gmail_create_draft",
  title: "Create a draft",
  description: "Writes a mail into Drafts without sending it.",
  kind: "write",
  input: mailInput,
  output: z.object({ draft_id: z.string(), message_id: z.string(), thread_id: z.string() }),
  run: async (args, client) => {
    const message = await compose(args, client);
    const schema = z.object({ id: z.string(), message: sent });
    const draft = await client.post(schema, "/gmail/v1/users/me/drafts", { message });
    return { draft_id: draft.id, message_id: draft.message.id, thread_id: draft.message.threadId };
  },
});

const sendMessage = defineTool({
  service: "gmail",
  name: "gmail_send",
  title: "Send mail",
  description: "Sends a mail from the connected account at once. It cannot be called back.",
  kind: "write",
  input: mailInput,
  output: z.object({ message_id: z.string(), thread_id: z.string() }),
  run: async (args, client) => {
    const message = await compose(args, client);
    const { id, threadId } = await client.post(sent, "/gmail/v1/users/me/messages/send", message);
    return { message_id: id, thread_id: threadId };
  },
});

const trashMessage = defineTool({
  service: "gmail",
  name: "gmail_trash",
  title: "Move a message to Trash",
  description: "Moves one message to Trash, where Gmail deletes it after 30 days.",
  kind: "write",
  idempotent: true,
  input: z.strictObject({ id: idField.describe("Message id") }),
  output: z.object({ message_id: z.string(), thread_id: z.string() }),
  run: async ({ id }, client) => {
    const trashed = await client.post(sent, path`/gmail/v1/users/me/messages/${id}/trash`, undefined);
    return { message_id: trashed.id, thread_id: trashed.threadId };
  },
});

/** Tools that send, write or trash. */
export const writeTools = [createDraft, sendMessage, trashMessage];

async function compose(
  { reply_to_message_id, subject, ...mail }: z.infer<typeof mailInput>,
  client: Client,
): Promise<{ raw: string; threadId?: string }> {
  if (reply_to_message_id === undefined) return { raw: buildRaw({ ...mail, subject: subject ?? "" }) };
  const old = await client.get(messageSchema, path`/gmail/v1/users/me/messages/${reply_to_message_id}`, {
    format: "metadata",
    metadataHeaders: ["Subject", "Message-ID", "References"],
  });
  const inReplyTo = unfold(headerOf(old, "Message-ID"));
  const references = [unfold(headerOf(old, "References")), inReplyTo].filter(Boolean).join(" ");
  const answered = answering(unfold(headerOf(old, "Subject")));
  const raw = buildRaw({ ...mail, subject: subject ?? answered, inReplyTo, references });
  return { raw, threadId: old.threadId };
}

function answering(subject: string): string {
  return /^re:/i.test(subject) ? subject : `Re: ${subject}`;
}

/** Headers of others may be folded over lines (RFC 5322 section 2.2.3). */
function unfold(header: string): string {
  return header.replaceAll(/\s+/g, " ").trim();
}
