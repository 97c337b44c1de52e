/**
 * The pages behind links in messages, to confirm a subscription and to unsubscribe. Opening a page changes nothing, since
 * mail scanners follow links: only its button does. Mail programs may post to the second page automatically, without a
 * cookie or an origin (RFC 8058), so only the token counts.
 */
import { Elysia } from "elysia";
import { entities } from "../../schema/index.ts";
import { type Clock, formatIsoTime } from "../shared/clock.ts";
import { getWords } from "../../web/words/all.ts";
import { fillPlaceholders } from "../../web/words/fill.ts";
import { type PageSite, createPlainPage } from "../shared/plainPage.tsx";
import type { HandleOf } from "../storage/store.ts";
import type { LettersContext } from "./context.ts";
import { CONFIRM_PATH, UNSUBSCRIBE_PATH, type SubscriptionLinks } from "./links.ts";
import { CONFIRMATION_TTL_MS, type MailingListMail } from "./mailingListMail.ts";
import { unsubscribeInBin } from "./subscriptions.ts";

interface SubscriptionPagesContext extends Pick<LettersContext, "store" | "bin" | "clock"> {
  readonly links: SubscriptionLinks;
  readonly mailingList: MailingListMail;
  readonly site: () => PageSite;
}

/** A text, and either a button that posts to the page's own address or a link to the site. */
interface SubscriptionPageContent {
  readonly status?: number;
  readonly title: string;
  readonly text: string;
  readonly button?: string;
}

/** GET, POST `/confirm-subscription?t=`, `/unsubscribe?t=`. */
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
    return renderPage(this.#context.site(), await content);
  }

  readonly #texts = () => getPageTexts(this.#context.site());

  async createConfirmPage(request: Request): Promise<SubscriptionPageContent> {
    const { subscriptionPages: words, broken, expired, confirmed, named } = this.#texts();
    const link = this.#context.links.readConfirmation(readToken(request));
    const row = link && (await this.#subscriptions.get(link.id));
    if (!link) return broken;
    if (row?.status === "active") return confirmed;
    if (row?.status !== "pending" || isLinkExpired(link.at, this.#context.clock)) return expired;
    const text = named(words.confirmText, row.email);
    return { title: words.confirmTitle, text, button: words.confirm };
  }

  async confirmSubscription(request: Request): Promise<SubscriptionPageContent> {
    const { broken, expired, confirmed } = this.#texts();
    const link = this.#context.links.readConfirmation(readToken(request));
    if (!link) return broken;
    const { clock, mailingList } = this.#context;
    const changed = await this.#subscriptions.update(link.id, (row) => {
      if (row.status !== "pending" || isLinkExpired(link.at, clock)) return row;
      const now = formatIsoTime(clock);
      const welcome = { owed: mailingList.findDueWelcome(), askedAt: now };
      return { ...row, ...welcome, status: "active", confirmedAt: now, unreachable: null };
    });
    mailingList.checkNow();
    return changed?.status === "active" ? confirmed : expired;
  }

  async createUnsubscribePage(request: Request): Promise<SubscriptionPageContent> {
    const { mailingList, subscriptionPages: words, broken, left, named } = this.#texts();
    const link = this.#context.links.readUnsubscription(readToken(request));
    if (!link) return broken;
    const row = await this.#subscriptions.get(link.id);
    if (!row || row.status === "unsubscribed") return left;
    const text = named(words.unsubscribeText, row.email);
    return { title: mailingList.unsubscribeTitle, text, button: mailingList.unsubscribe };
  }

  async unsubscribe(request: Request): Promise<SubscriptionPageContent> {
    const { broken, left } = this.#texts();
    const link = this.#context.links.readUnsubscription(readToken(request));
    if (!link) return broken;
    let isNew = false;
    await this.#context.store.transaction(async (transaction) => {
      await transaction.of(entities.emailSubscriptions).update(link.id, (row) => {
        isNew = row.status !== "unsubscribed";
        // An unchanged row isn't written, so posting the same link repeatedly writes nothing.
        return isNew || row.owed !== null ? { ...row, status: "unsubscribed", owed: null } : row;
      });
      await unsubscribeInBin(this.#context.bin, ({ id }) => id === link.id, transaction);
    });
    if (isNew && link.letter)
      await this.#context.store
        .of(entities.letters)
        .update(link.letter, (each) => ({ ...each, unsubscribed: each.unsubscribed + 1 }));
    return left;
  }
}

const readToken = (request: Request) => new URL(request.url).searchParams.get("t");

const isLinkExpired = (at: number, clock: Clock) => !(clock() - at < CONFIRMATION_TTL_MS);

function getPageTexts({ siteName: name, language }: PageSite) {
  const { subscriptionPages, mailingList } = getWords(language).words;
  const notFoundPage = { status: 404 } as const;
  return {
    subscriptionPages,
    mailingList,
    named: (sentence: string, email: string) => fillPlaceholders(sentence, { name, email }),
    broken: {
      ...notFoundPage,
      title: subscriptionPages.brokenTitle,
      text: subscriptionPages.brokenText,
    },
    expired: {
      ...notFoundPage,
      title: subscriptionPages.expiredTitle,
      text: subscriptionPages.expiredText,
    },
    left: { title: mailingList.unsubscribed, text: mailingList.unsubscribedText },
    confirmed: {
      title: mailingList.subscribed,
      text: fillPlaceholders(mailingList.subscribedText, { name }),
    },
  };
}

function renderPage(
  site: PageSite,
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
          // Without an action, posts go to the page's own address, token included.
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
