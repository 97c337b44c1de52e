/** A message as the bytes a mail server takes, written in one piece, which its line then hands over at once. */
import type { Sender } from "../../shared/mailUrl.ts";
import type { OutgoingMessage } from "../../shared/message.ts";
import { CALENDAR, oneLine } from "./headers.ts";

/** The message and its headers, without the dots that SMTP doubles. Nothing is loaded before the first. */
export async function mimeOf(message: OutgoingMessage, from: Sender, date: Date): Promise<Buffer> {
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const { to, replyTo, subject, messageId, headers, text, html, calendar } = message;
  return new MailComposer({
    from: { name: oneLine(from.name), address: from.address },
    // As an object each address is one, whatever stands in it.
    to: { name: "", address: to },
    ...(replyTo && { replyTo: { name: "", address: replyTo } }),
    subject: oneLine(subject),
    messageId: oneLine(messageId),
    date,
    headers,
    text,
    html,
    ...(calendar !== undefined && {
      attachments: [
        {
          filename: CALENDAR.name,
          content: calendar,
          contentType: CALENDAR.type,
          // As bytes: its lines end as the format says, and none is broken on the way.
          contentTransferEncoding: "base64",
        },
      ],
    }),
    newline: "windows",
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}
