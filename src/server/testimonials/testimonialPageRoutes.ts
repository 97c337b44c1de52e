/**
 * GET and POST `/say?t=`: whoever has a link writes a few words, once, and withdraws them with the same link. Opening
 * it changes nothing. Only the token counts: there is no session, and no other token.
 */
import { Elysia } from "elysia";
import { isExtraEnabled } from "../../schema/entities/extra.ts";
import { entities, type Item } from "../../schema/index.ts";
import { DEFAULT_QUESTIONS } from "../../schema/sections/testimonialRules.ts";
import { splitLines } from "../../schema/entities/textLines.ts";
import { translateRefusalMessage, getWords } from "../../web/words/all.ts";
import { fillPlaceholders } from "../../web/words/fill.ts";
import type { SiteWords } from "../../web/words/siteWords.ts";
import { MAX_PUBLIC_JSON_BYTES, readForm } from "../http/body.ts";
import type { Visitor, VisitorPlugin } from "../http/visitor.ts";
import { isRefusal, Refusal } from "../shared/errors.ts";
import { getStoreTimeZone } from "../shared/siteZone.ts";
import { findItem, type Store } from "../storage/store.ts";
import type { PageSite } from "../shared/pageSite.ts";
import type { Mail } from "../mail/mail.ts";
import type { TestimonialNotifications } from "./testimonialNotifications.ts";
import {
  isTestimonialsFullError,
  storeTestimonial,
  type TestimonialStorageContext,
  withdrawTestimonial,
} from "./storeTestimonial.ts";
import {
  EMPTY_INPUT,
  type TestimonialInput,
  readTestimonialInput,
  type InputErrors,
  findInputErrors,
} from "./testimonialInput.ts";
import {
  TESTIMONIAL_REQUEST_PATH,
  type TestimonialRequestLinks,
} from "./testimonialRequestLinks.ts";
import { renderSentencePage, renderTestimonialForm, renderThanksPage } from "./testimonialPage.tsx";

interface TestimonialPageContext extends Omit<TestimonialStorageContext, "outbox" | "news"> {
  readonly store: Store;
  readonly mail: Pick<Mail, "outbox"> & { readonly testimonials: TestimonialNotifications };
  readonly site: () => PageSite;
  readonly links: TestimonialRequestLinks;
  /** Those of an enquiry without a proof of filling time. */
  readonly guards: {
    attempt(visitor: Visitor): void;
    admit(visitor: Visitor, started: undefined): void;
  };
  readonly visitors: VisitorPlugin;
}

type TestimonialRequest = Item<"testimonialRequests">;

type LinkState =
  | { readonly kind: "open"; readonly testimonialRequest: TestimonialRequest }
  | { readonly kind: "given"; readonly testimonialId: string }
  /** `status`: 404 for one that isn't ours, 410 for one that was. */
  | { readonly kind: "over"; readonly status: 404 | 410 };

const FORM_TYPES = ["application/x-www-form-urlencoded", "multipart/form-data"];

export function testimonialPageRoutes(context: TestimonialPageContext) {
  const page = new TestimonialPage(context);
  return new Elysia({ name: "say" })
    .use(context.visitors)
    .get(TESTIMONIAL_REQUEST_PATH, ({ request }) => page.renderPage(request))
    .post(TESTIMONIAL_REQUEST_PATH, ({ request, visitor }) => page.handlePost(request, visitor), {
      parse: "none",
    });
}

class TestimonialPage {
  readonly #context: TestimonialPageContext;
  readonly #storageContext: TestimonialStorageContext;

  constructor(context: TestimonialPageContext) {
    const { mail } = context;
    this.#context = context;
    this.#storageContext = { ...context, outbox: mail.outbox, news: mail.testimonials };
  }

  renderPage(request: Request): Response {
    return this.#renderPage(this.#linkState(request));
  }

  async handlePost(request: Request, visitor: Visitor): Promise<Response> {
    try {
      this.#context.guards.attempt(visitor);
      const form = await readForm(request, MAX_PUBLIC_JSON_BYTES, FORM_TYPES);
      const now = this.#linkState(request);
      if (now.kind === "open")
        return await this.#submitTestimonial(
          request,
          now.testimonialRequest,
          readTestimonialInput(form),
          visitor,
        );
      if (now.kind === "given" && form.get("do") === "take-back")
        return await this.#withdrawTestimonial(now.testimonialId);
      return this.#renderPage(now);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      const { status, details } = error;
      const { translation, site } = this.#pageOptions();
      const answer = {
        translation,
        site,
        status,
        ...(details.headers && { headers: details.headers }),
      };
      return renderSentencePage(
        answer,
        translation.words.refusal.title,
        translateRefusalMessage(translation, error.message),
      );
    }
  }

  #pageOptions() {
    const site = this.#context.site();
    return { site, translation: getWords(site.language) };
  }

  #linkState(request: Request): LinkState {
    const { store, clock, links } = this.#context;
    const id = links.read(new URL(request.url).searchParams.get("t"));
    const testimonialRequest = findItem(store, entities.testimonialRequests, id);
    if (!testimonialRequest) return { kind: "over", status: 404 };
    const { testimonialId, usedAt, expiresAt } = testimonialRequest;
    if (usedAt !== null) {
      const testimonial = findItem(store, entities.testimonials, testimonialId);
      return testimonial
        ? { kind: "given", testimonialId: testimonial.id }
        : { kind: "over", status: 410 };
    }
    const isOn = isExtraEnabled(entities.testimonials, store.of(entities.extras).read().value.on);
    if (!isOn) return { kind: "over", status: 404 };
    const isEnded = Date.parse(expiresAt ?? "") <= clock();
    return isEnded ? { kind: "over", status: 410 } : { kind: "open", testimonialRequest };
  }

  /** The page for a link's state; `status` is that of the form if something in it is wrong. */
  #renderPage(now: LinkState, form: Partial<TestimonialFormState> = {}): Response {
    const { typed = EMPTY_INPUT, wrong = {}, ...more } = form;
    const dress = this.#pageOptions();
    const { expired, expiredText } = dress.translation.words.say;
    if (now.kind === "over")
      return renderSentencePage({ ...dress, status: now.status }, expired, expiredText);
    if (now.kind === "given") return renderThanksPage(dress);
    return renderTestimonialForm({
      ...dress,
      questions: this.#findQuestions(),
      typed,
      wrong,
      ...more,
    });
  }

  /** In the site's language unless the owner changed them. */
  #findQuestions(): string[] {
    const chosen = splitLines(
      this.#context.store.of(entities.testimonialSettings).read().value.questions,
    );
    const isUsual = chosen.join("\n") === DEFAULT_QUESTIONS.join("\n");
    return isUsual ? Object.values(this.#pageOptions().translation.words.say.questions) : chosen;
  }

  async #submitTestimonial(
    request: Request,
    testimonialRequest: TestimonialRequest,
    typed: TestimonialInput,
    visitor: Visitor,
  ) {
    const { site, translation } = this.#pageOptions();
    const wrong = findInputErrors(typed, translation);
    if (Object.keys(wrong).length > 0)
      return this.#renderPage({ kind: "open", testimonialRequest }, { typed, wrong, status: 422 });
    try {
      this.#context.guards.admit(visitor, undefined);
      const agreed = `${fillPlaceholders(translation.words.say.consent, { name: site.siteName })} (${this.#currentTime()})`;
      await storeTestimonial(this.#storageContext, { testimonialRequest, typed, agreed });
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      const now = this.#linkState(request);
      // Used or erased meanwhile: the page explains that.
      if (now.kind !== "open") return this.#renderPage(now);
      const problem = isTestimonialsFullError(error)
        ? translation.words.say.full
        : translateRefusalMessage(translation, error.message);
      const { status, details } = error;
      return this.#renderPage(now, {
        typed,
        problem,
        status,
        ...(details.headers && details),
      });
    }
    return this.#renderPage(this.#linkState(request));
  }

  async #withdrawTestimonial(id: string): Promise<Response> {
    const dress = this.#pageOptions();
    const { withdrawn, withdrawnText } = dress.translation.words.say;
    await withdrawTestimonial(
      this.#storageContext,
      id,
      `${withdrawn} (${this.#currentTime()})`,
    ).catch((error) => {
      // Deleted by its owner since.
      if (!isRefusal(error, "not_found")) throw error;
    });
    return renderSentencePage(dress, withdrawn, withdrawnText);
  }

  /** Now, in the site's language and zone. */
  readonly #currentTime = () =>
    new Intl.DateTimeFormat(isBritishEnglish(this.#pageOptions().translation), {
      dateStyle: "long",
      timeStyle: "short",
      timeZone: getStoreTimeZone(this.#context.store),
    }).format(this.#context.clock());
}

const isBritishEnglish = ({ locale }: SiteWords) => (locale === "en" ? "en-GB" : locale);

interface TestimonialFormState {
  readonly typed: TestimonialInput;
  readonly wrong: InputErrors;
  readonly problem: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}
