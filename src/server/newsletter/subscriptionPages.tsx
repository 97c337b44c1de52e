/**
 * The pages behind links in messages: confirm and leave. Opening them changes nothing, since mail scanners follow
 * links; only their button does. RFC 8058: a mail program may post to the second automatically, without cookie or
 * origin; only the token counts.
 */
import { Elysia } from "elysia";
import type { StoredItem } from "../../schema/entities/entity.ts";
import { entities } from "../../schema/index.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import { getWords } from "../../web/words/all.ts";
import { fillPlaceholders } from "../../web/words/fill.ts";
import type { PageSite } from "../shared/pageSite.ts";
import type { HandleOf } from "../storage/store.ts";
import type { LettersContext } from "./context.ts";
import { CONFIRM_PATH, UNSUBSCRIBE_PATH, type ListLink, type ListLinks } from "./links.ts";
import { CONFIRMATION_TTL_MS, type MailingListMail } from "./mailingListMail.ts";
import { createPlainPage } from "../shared/plainPage.tsx";

interface ListPagesContext extends Pick<LettersContext, "store" | "bin" | "clock"> {
  readonly links: ListLinks;
  readonly mailingListMail: MailingListMail;
  readonly site: () => PageSite;
  /** Called when somebody left through the link in a letter. */
  readonly countUnsubscription: (letter: string) => Promise<void>;
}

/** The content of a page; without `button` it has none. */
interface SubscriptionPageContent {
  readonly status?: number;
  readonly title: string;
  readonly text: string;
  readonly button?: string;
}

/** GET, POST `/confirm-subscription?t=`, `/unsubscribe?t=`. */
export function subscriptionPageRoutes(context: ListPagesContext) {
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
  readonly #context: ListPagesContext;
  readonly #subscriptions: HandleOf<typeof entities.emailSubscriptions>;

  constructor(context: ListPagesContext) {
    this.#context = context;
    this.#subscriptions = context.store.of(entities.emailSubscriptions);
  }

  async respond(content: Promise<SubscriptionPageContent>): Promise<Response> {
    return renderPage(this.#context.site(), await content);
  }

  readonly #texts = () => getPageTexts(this.#context.site());

  #readLink<K extends ListLink["kind"]>(request: Request, kind: K) {
    const link = this.#context.links.read(new URL(request.url).searchParams.get("t"));
    return link?.kind === kind ? (link as Extract<ListLink, { kind: K }>) : undefined;
  }

  async createConfirmPage(request: Request): Promise<SubscriptionPageContent> {
    const { listPages: words, broken, expired, confirmed, named } = this.#texts();
    const link = this.#readLink(request, "confirm");
    const row = link && (await this.#subscriptions.get(link.id));
    if (!link) return broken;
    if (row?.status === "active") return confirmed;
    if (row?.status !== "pending" || isLinkExpired(link.at, this.#context.clock)) return expired;
    return {
      title: words.confirmTitle,
      text: named(words.confirmText, row.email),
      button: words.confirm,
    };
  }

  async confirmSubscription(request: Request): Promise<SubscriptionPageContent> {
    const { broken, expired, confirmed } = this.#texts();
    const link = this.#readLink(request, "confirm");
    if (!link) return broken;
    let isOn = false;
    await this.#subscriptions.update(link.id, (row) => {
      isOn =
        row.status === "active" ||
        (row.status === "pending" && !isLinkExpired(link.at, this.#context.clock));
      if (!isOn || row.status === "active") return row;
      const now = isoTime(this.#context.clock);
      const greeting = { owed: this.#context.mailingListMail.dueWelcomeMessage(), askedAt: now };
      return { ...row, ...greeting, status: "active", confirmedAt: now, unreachable: null };
    });
    this.#context.mailingListMail.checkNow();
    return isOn ? confirmed : expired;
  }

  async createUnsubscribePage(request: Request): Promise<SubscriptionPageContent> {
    const { mailingList, listPages: words, broken, left, named } = this.#texts();
    const link = this.#readLink(request, "leave");
    if (!link) return broken;
    const row = await this.#subscriptions.get(link.id);
    if (!row || row.status === "unsubscribed") return left;
    return {
      title: mailingList.leaveTitle,
      text: named(words.leaveText, row.email),
      button: mailingList.unsubscribe,
    };
  }

  async unsubscribe(request: Request): Promise<SubscriptionPageContent> {
    const { broken, left } = this.#texts();
    const link = this.#readLink(request, "leave");
    if (!link) return broken;
    let isNew = false;
    const leaving = (row: StoredItem) =>
      row.id === link.id && row["status"] !== "unsubscribed"
        ? { ...row, status: "unsubscribed" }
        : row;
    await this.#context.store.transaction(async (transaction) => {
      await transaction.of(entities.emailSubscriptions).update(link.id, (row) => {
        isNew = row.status !== "unsubscribed";
        // Unchanged, it isn't written again: the link may be followed without end.
        return isNew || row.owed !== null ? { ...row, status: "unsubscribed", owed: null } : row;
      });
      // The bin must not restore somebody who unsubscribed as a subscriber.
      await this.#context.bin.changeItems(entities.emailSubscriptions, leaving, transaction);
    });
    if (isNew && link.letter) await this.#context.countUnsubscription(link.letter);
    return left;
  }
}

const isLinkExpired = (at: number, clock: Clock) => !(clock() - at < CONFIRMATION_TTL_MS);

function getPageTexts({ siteName: name, language }: PageSite) {
  const { listPages, mailingList } = getWords(language).words;
  const notFoundPage = { status: 404 } as const;
  return {
    listPages,
    mailingList,
    named: (sentence: string, email: string) => fillPlaceholders(sentence, { name, email }),
    broken: { ...notFoundPage, title: listPages.brokenTitle, text: listPages.brokenText },
    expired: { ...notFoundPage, title: listPages.expiredTitle, text: listPages.expiredText },
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
