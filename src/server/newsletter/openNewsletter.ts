/** Assembles the mailing list, its messages and the letters. */
import { entities } from "../../schema/index.ts";
import type { Clocks } from "../shared/clock.ts";
import { createLetterArchiveRoutes } from "./archive.tsx";
import type { PageBranding } from "../shared/plainPage.tsx";
import type { LettersContext } from "./context.ts";
import { type LetterRoutesContext, createLetterRoutes } from "./letterRoutes.ts";
import { createSubscriptionLinks } from "./subscriptionLinks.ts";
import { createSubscriptionPageRoutes } from "./subscriptionPages.tsx";
import { MailingListMail } from "./mailingListMail.ts";
import { createBounceReportRoute } from "./bounceReportRoute.ts";
import { LetterSender } from "./letterSender.ts";
import type { Letter } from "./renderLetter.ts";

export type NewsletterServices = Awaited<ReturnType<typeof openNewsletter>>;

export async function openNewsletter(options: Omit<LettersContext, "trustedClock"> & Clocks) {
  const { store, clock, trustedClock = clock } = options;
  const context = { ...options, trustedClock };
  const settings = store.of(entities.letterSettings);
  const links = createSubscriptionLinks(context.mail.linkKeys.getLinkSecret);
  const mailingList = new MailingListMail(context, links);
  const createLetterPath = ({ id, isPublic }: Letter) =>
    isPublic && settings.read().value.archive ? `/letters/${id}` : undefined;
  const sender = new LetterSender({ ...context, links, createLetterPath });
  return {
    mailingList,
    sender,
    createRoutes: (
      routeOptions: Pick<LetterRoutesContext, "guard" | "sessionMailLimits" | "cleanHtml"> & {
        readonly getSite: () => PageBranding;
      },
    ) => [
      createSubscriptionPageRoutes({ ...context, ...routeOptions, links, mailingList }),
      createLetterArchiveRoutes({ ...context, ...routeOptions }),
      createBounceReportRoute(context),
      createLetterRoutes({ ...context, ...routeOptions, sender, createLetterPath }),
    ],
    async stop() {
      await sender.stop();
      await mailingList.stop();
    },
  };
}
