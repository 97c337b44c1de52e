/** The mailing list's messages and letters, put together. */
import type { AnyElysia } from "elysia";
import { entities } from "../../schema/index.ts";
import type { LettersContext } from "./context.ts";
import { listLinks } from "./links.ts";
import { listPages } from "./listPages.tsx";
import { type MailingListMail, mailingListMail } from "./mailingListMail.ts";

export interface Letters {
  /** What the routes of the mailing list ask. */
  readonly mailingList: MailingListMail;
  /** The pages behind links in messages. */
  readonly pages: AnyElysia;
  stop(): Promise<void>;
}

/** Opens what there is to be sent to the mailing list, and begins to. */
export async function openLetters(context: LettersContext): Promise<Letters> {
  const settings = context.store.of(entities.letterSettings);
  if (settings.read().value.linkSecret === "")
    await settings.update((value) => ({ ...value, linkSecret: newKey(), reportKey: newKey() }));
  const links = listLinks(() => settings.read().value.linkSecret);
  const list = mailingListMail(context, links);
  return {
    mailingList: list,
    pages: listPages({ ...context, links, list, leftBy: async () => {} }) as unknown as AnyElysia,
    stop: () => list.stop(),
  };
}

const newKey = () => Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64url");
