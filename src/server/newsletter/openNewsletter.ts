/** Assembles the mailing list, its messages and the letters. */
import { entities } from "../../schema/index.ts";
import { letterArchiveRoutes } from "./archive.tsx";
import type { PageSite } from "../shared/plainPage.tsx";
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
  const mailingList = new MailingListMail(context, links);
  const letterPath = ({ id, isPublic }: Letter) =>
    isPublic && settings.read().value.archive ? `/letters/${id}` : undefined;
  const sending = new LetterSender({ ...context, links, letterPath });
  return {
    mailingList,
    sending,
    /** The pages behind links in messages, and the owner's routes. */
    routes: (
      options: Pick<LetterRoutesContext, "guard" | "sessionMail" | "cleanHtml"> & {
        readonly site: () => PageSite;
      },
    ) => [
      subscriptionPageRoutes({ ...context, ...options, links, mailingList }),
      letterArchiveRoutes({ ...context, ...options }),
      bounceReportRoute(context),
      // The clock that sets when a letter is due is the one that sends it.
      letterRoutes({ ...context, ...options, trustedClock, sending, letterPath }),
    ],
    async stop() {
      await sending.stop();
      await mailingList.stop();
    },
  };
}
