/** Assembles the mailing list's messages and letters. */
import { entities } from "../../schema/index.ts";
import { letterArchiveRoutes } from "./archive.tsx";
import type { PageSite } from "../shared/pageSite.ts";
import type { LettersContext } from "./context.ts";
import { type LetterRoutesContext, letterRoutes } from "./letterRoutes.ts";
import { createListLinks } from "./links.ts";
import { subscriptionPageRoutes } from "./subscriptionPages.tsx";
import { MailingListMail } from "./mailingListMail.ts";
import { bounceReportRoute } from "./bounceReportRoute.ts";
import { LetterSender } from "./letterSender.ts";
import type { Letter } from "./renderLetter.ts";

export type NewsletterServices = Awaited<ReturnType<typeof openNewsletter>>;

/** Opens the mailing list's mail, and starts sending. */
export async function openNewsletter(context: LettersContext) {
  const { store, clock, trustedClock = clock } = context;
  const settings = store.of(entities.letterSettings);
  const links = createListLinks(context.mail.keys.linkSecret);
  const list = new MailingListMail(context, links);
  const pageOf = ({ id, isPublic }: Letter) =>
    isPublic && settings.read().value.archive ? `/letters/${id}` : undefined;
  const sender = new LetterSender({ ...context, links, pageOf });
  const countUnsubscribed = async (letter: string) => {
    await store
      .of(entities.letters)
      .update(letter, (each) => ({ ...each, unsubscribed: each.unsubscribed + 1 }));
  };
  return {
    mailingList: list,
    sending: sender,
    /** The pages behind links in messages, and the owner's routes. */
    routes: (
      options: Pick<LetterRoutesContext, "guard" | "proof" | "sessionMail" | "cleanHtml"> & {
        readonly site: () => PageSite;
      },
    ) => [
      subscriptionPageRoutes({
        ...context,
        ...options,
        links,
        mailingListMail: list,
        countUnsubscription: countUnsubscribed,
      }),
      letterArchiveRoutes({ ...context, ...options }),
      bounceReportRoute(context),
      // Letters are sent by the same clock that sets when they are due.
      letterRoutes({ ...context, ...options, trustedClock, sending: sender, letterPath: pageOf }),
    ],
    async stop() {
      await sender.stop();
      await list.stop();
    },
  };
}
