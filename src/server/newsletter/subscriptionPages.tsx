/**
 * The pages for links in messages: to confirm a subscription, and to unsubscribe. Opening a page changes nothing, since
 * mail scanners open links. Mail programs may post to the unsubscribe page without a cookie or an origin (RFC 8058), so
 * only the token is checked.
 */
import { Elysia } from "elysia";
import { entities } from "../../schema/index.ts";
import { type Clock, getTimestamp } from "../shared/clock.ts";
import { getWords } from "../../web/words/allWords.ts";
import { fillPlaceholders } from "../../web/words/placeholders.ts";
import { type PageBranding, createPlainPage } from "../shared/plainPage.tsx";
import type { HandleOf } from "../storage/store.ts";
import type { LettersContext } from "./context.ts";
import { CONFIRM_PATH, UNSUBSCRIBE_PATH, type SubscriptionLinks } from "./subscriptionLinks.ts";
import { CONFIRMATION_TTL_MS, type MailingListMail } from "./mailingListMail.ts";
import { unsubscribeInBin } from "./subscriptions.ts";

interface SubscriptionPagesContext extends Pick<LettersContext, "store" | "bin" | "clock"> {
  readonly links: SubscriptionLinks;
  readonly mailingList: MailingListMail;
  readonly getSite: () => PageBranding;
}

/** The content of a page. A page without a button has a link to the site. */
interface SubscriptionPageContent {
  readonly status?: number;
  readonly title: string;
  readonly text: string;
  readonly button?: string;
}

/** GET and POST of `/confirm-subscription?t=` and `/unsubscribe?t=`. */
export function createSubscriptionPageRoutes(context: SubscriptionPagesContext) {
  const pages = new SubscriptionPages(context);
  return new Elysia({ name: "list-pages" })
    .get(CONFIRM_PATH, ({ request }) => pages.respond(pages.createConfirmPage(request)))
    .post(CONFIRM_PATH, ({ request }) => pages.respond(pages.confirmSubscription(request)), {
      parse: "none",
    })
    .get(UNSUBSCRIBE_PATH, ({ request }) => pages.respond(pages.createUnsubscribePage(request)))
    .post(UNSUBSCRIBE_PATH, ({ request }) => pages.respond(pages.unsubscribe(request)), {
      parse: "none",
    });
}

class SubscriptionPages {
  readonly #context: SubscriptionPagesContext;
  readonly #subscriptions: HandleOf<typeof entities.emailSubscriptions>;

  constructor(context: SubscriptionPagesContext) {
    this.#context = context;
    this.#subscriptions = context.store.of(entities.emailSubscriptions);
  }

  async respond(content: Promise<SubscriptionPageContent>): Promise<Response> {
    return renderPage(this.#context.getSite(), await content);
  }

  readonly #getTexts = () => getPageTexts(this.#context.getSite());

  async createConfirmPage(request: Request): Promise<SubscriptionPageContent> {
    const texts = this.#getTexts();
    const confirmation = this.#context.links.readConfirmation(readToken(request));
    if (!confirmation) return texts.brokenPage;
    const row = await this.#subscriptions.get(confirmation.id);
    if (row?.status === "active") return texts.confirmedPage;
    if (row?.status !== "pending" || isLinkExpired(confirmation.createdAt, this.#context.clock))
      return texts.expiredPage;
    const { confirmTitle, confirmText, confirm } = texts.subscriptionPages;
    return { title: confirmTitle, text: texts.fillText(confirmText, row.email), button: confirm };
  }

  async confirmSubscription(request: Request): Promise<SubscriptionPageContent> {
    const { brokenPage, expiredPage, confirmedPage } = this.#getTexts();
    const confirmation = this.#context.links.readConfirmation(readToken(request));
    if (!confirmation) return brokenPage;
    const { clock, mailingList } = this.#context;
    const updatedRow = await this.#subscriptions.update(confirmation.id, (row) => {
      if (row.status !== "pending" || isLinkExpired(confirmation.createdAt, clock)) return row;
      const now = getTimestamp(clock);
      const welcome = { owed: mailingList.findDueWelcome(), askedAt: now };
      return { ...row, ...welcome, status: "active", confirmedAt: now, unreachable: null };
    });
    mailingList.checkNow();
    return updatedRow?.status === "active" ? confirmedPage : expiredPage;
  }

  async createUnsubscribePage(request: Request): Promise<SubscriptionPageContent> {
    const texts = this.#getTexts();
    const unsubscription = this.#context.links.readUnsubscription(readToken(request));
    if (!unsubscription) return texts.brokenPage;
    const row = await this.#subscriptions.get(unsubscription.id);
    if (!row || row.status === "unsubscribed") return texts.unsubscribedPage;
    const { unsubscribeTitle: title, unsubscribe: button } = texts.mailingList;
    const text = texts.fillText(texts.subscriptionPages.unsubscribeText, row.email);
    return { title, text, button };
  }

  async unsubscribe(request: Request): Promise<SubscriptionPageContent> {
    const { brokenPage, unsubscribedPage } = this.#getTexts();
    const unsubscription = this.#context.links.readUnsubscription(readToken(request));
    if (!unsubscription) return brokenPage;
    let wasSubscribed = false;
    await this.#context.store.transaction(async (transaction) => {
      await transaction.of(entities.emailSubscriptions).update(unsubscription.id, (row) => {
        wasSubscribed = row.status !== "unsubscribed";
        // Returns the same row if nothing changes, so that repeated posts write nothing.
        return wasSubscribed || row.owed !== null
          ? { ...row, status: "unsubscribed", owed: null }
          : row;
      });
      await unsubscribeInBin(this.#context.bin, ({ id }) => id === unsubscription.id, transaction);
    });
    if (wasSubscribed && unsubscription.letter)
      await this.#context.store.of(entities.letters).update(unsubscription.letter, (letter) => ({
        ...letter,
        unsubscribed: letter.unsubscribed + 1,
      }));
    return unsubscribedPage;
  }
}

const readToken = (request: Request) => new URL(request.url).searchParams.get("t");

const isLinkExpired = (createdAt: number, clock: Clock) =>
  !(clock() - createdAt < CONFIRMATION_TTL_MS);

function getPageTexts({ siteName: name, language }: PageBranding) {
  const { subscriptionPages, mailingList } = getWords(language).words;
  return {
    subscriptionPages,
    mailingList,
    fillText: (sentence: string, email: string) => fillPlaceholders(sentence, { name, email }),
    brokenPage: {
      status: 404,
      title: subscriptionPages.brokenTitle,
      text: subscriptionPages.brokenText,
    },
    expiredPage: {
      status: 404,
      title: subscriptionPages.expiredTitle,
      text: subscriptionPages.expiredText,
    },
    unsubscribedPage: { title: mailingList.unsubscribed, text: mailingList.unsubscribedText },
    confirmedPage: {
      title: mailingList.subscribed,
      text: fillPlaceholders(mailingList.subscribedText, { name }),
    },
  };
}

function renderPage(
  site: PageBranding,
  { title, text, button, status = 200 }: SubscriptionPageContent,
): Response {
  const { words } = getWords(site.language);
  return createPlainPage(site, {
    title,
    status,
    body: (
      <>
        <p>{text}</p>
        {button ? (
          // Without an action, the form posts to the page's own URL, which contains the token.
          <form method="post">
            <button type="submit">{button}</button>
          </form>
        ) : (
          <p>
            <a className="home" href="/">
              {words.goHome}
            </a>
          </p>
        )}
      </>
    ),
  });
}
