/** Assembles the mailing list's messages and letters. */
import { entities } from "../../schema/index.ts";
import { letterArchive } from "./archive.tsx";
import type { PageSite } from "../shared/pageSite.ts";
import type { LettersContext } from "./context.ts";
import { type LetterRoutesContext, letterRoutes } from "./letterRoutes.ts";
import { listLinks } from "./links.ts";
import { listPages } from "./subscriptionPages.tsx";
import { MailingListMail } from "./mailingListMail.ts";
import { reportRoute } from "./bounceReportRoute.ts";
import { LetterSender } from "./sending.ts";
import type { Letter } from "./writeLetter.ts";

export type Letters = Awaited<ReturnType<typeof openLetters>>;

/** Opens the mailing list's mail, and starts sending. */
export async function openLetters(context: LettersContext) {
  const { store, clock, trustedClock = clock } = context;
  const settings = store.of(entities.letterSettings);
  const links = listLinks(context.mail.keys.linkSecret);
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
      listPages({ ...context, ...options, links, list, leftBy: countUnsubscribed }),
      letterArchive({ ...context, ...options }),
      reportRoute(context),
      // Letters are sent by the same clock that sets when they are due.
      letterRoutes({ ...context, ...options, trustedClock, sending: sender, pageOf }),
    ],
    async stop() {
      await sender.stop();
      await list.stop();
    },
  };
}
