/**
 * GET and POST `/say?t=`. Anyone with a request's link can write one testimonial, and later withdraw it. Authors don't
 * log in, so only the token in the link is checked.
 */
import { Elysia } from "elysia";
import { isExtraEnabled } from "../../schema/entities/extra.ts";
import { entities, type Item } from "../../schema/index.ts";
import { DEFAULT_TESTIMONIAL_QUESTIONS } from "../../schema/sections/testimonialRules.ts";
import { splitLines } from "../../schema/kinds/textKinds.ts";
import { translateRefusalMessage, getWords } from "../../web/words/allWords.ts";
import { fillPlaceholders } from "../../web/words/placeholders.ts";
import type { SiteWords } from "../../web/words/siteWords.ts";
import { FORM_MEDIA_TYPES, MAX_PUBLIC_JSON_BYTES, readForm } from "../http/body.ts";
import type { Visitor, VisitorPlugin } from "../http/visitor.ts";
import { isRefusal, Refusal } from "../shared/errors.ts";
import { getSiteTimeZone } from "../shared/siteZone.ts";
import { findItem, type Store } from "../storage/store.ts";
import type { PageBranding } from "../shared/plainPage.tsx";
import type { Mail } from "../mail/mail.ts";
import type { TestimonialNotifications } from "./testimonialNotifications.ts";
import {
  storeTestimonial,
  TestimonialsFullError,
  type TestimonialStorageContext,
  withdrawTestimonial,
} from "./storeTestimonial.ts";
import {
  EMPTY_INPUT,
  type TestimonialInput,
  readTestimonialInput,
  findInputErrors,
} from "./testimonialInput.ts";
import {
  TESTIMONIAL_REQUEST_PATH,
  type TestimonialRequestLinks,
} from "./testimonialRequestRoutes.ts";
import {
  renderTextPage,
  renderTestimonialForm,
  renderThanksPage,
  type TestimonialFormOptions,
} from "./testimonialPage.tsx";

interface TestimonialPageContext extends Omit<
  TestimonialStorageContext,
  "outbox" | "notifications"
> {
  readonly store: Store;
  readonly mail: Pick<Mail, "outbox"> & { readonly testimonials: TestimonialNotifications };
  readonly getSite: () => PageBranding;
  readonly links: TestimonialRequestLinks;
  /** A testimonial counts as an enquiry whose form has no signed start time. */
  readonly rateLimits: {
    countAttempt(visitor: Visitor): void;
    admit(visitor: Visitor, started: undefined): void;
  };
  readonly visitorPlugin: VisitorPlugin;
}

type TestimonialRequest = Item<"testimonialRequests">;

type LinkState =
  | { readonly kind: "open"; readonly testimonialRequest: TestimonialRequest }
  | { readonly kind: "written"; readonly testimonialId: string }
  /** 404: the link is invalid, or testimonials are off. 410: the testimonial is gone, or the link has expired. */
  | { readonly kind: "over"; readonly status: 404 | 410 };

export function createTestimonialPageRoutes(context: TestimonialPageContext) {
  const page = new TestimonialPage(context);
  return new Elysia({ name: "say" })
    .use(context.visitorPlugin)
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
    this.#storageContext = { ...context, outbox: mail.outbox, notifications: mail.testimonials };
  }

  renderPage(request: Request): Response {
    return this.#renderPage(this.#readLinkState(request));
  }

  async handlePost(request: Request, visitor: Visitor): Promise<Response> {
    try {
      this.#context.rateLimits.countAttempt(visitor);
      const form = await readForm(request, MAX_PUBLIC_JSON_BYTES, { mediaTypes: FORM_MEDIA_TYPES });
      const state = this.#readLinkState(request);
      const input = readTestimonialInput(form);
      if (state.kind === "open")
        return await this.#submitTestimonial(request, state.testimonialRequest, input, visitor);
      if (state.kind === "written" && form.get("do") === "take-back")
        return await this.#withdrawTestimonial(state.testimonialId);
      return this.#renderPage(state);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      const { status, details } = error;
      const options = this.#createPageOptions();
      const { title } = options.translation.words.refusal;
      const text = translateRefusalMessage(options.translation, error.message);
      return renderTextPage({ ...options, status, headers: details.headers }, title, text);
    }
  }

  #createPageOptions() {
    const site = this.#context.getSite();
    return { site, translation: getWords(site.language) };
  }

  #readLinkState(request: Request): LinkState {
    const { store, clock, links } = this.#context;
    const id = links.read(new URL(request.url).searchParams.get("t"));
    const testimonialRequest = findItem(store, entities.testimonialRequests, id);
    if (!testimonialRequest) return { kind: "over", status: 404 };
    const { testimonialId, usedAt, expiresAt } = testimonialRequest;
    if (usedAt !== null) {
      const testimonial = findItem(store, entities.testimonials, testimonialId);
      return testimonial
        ? { kind: "written", testimonialId: testimonial.id }
        : { kind: "over", status: 410 };
    }
    const isOn = isExtraEnabled(entities.testimonials, store.of(entities.extras).read().value.on);
    if (!isOn) return { kind: "over", status: 404 };
    const isExpired = Date.parse(expiresAt ?? "") <= clock();
    return isExpired ? { kind: "over", status: 410 } : { kind: "open", testimonialRequest };
  }

  /** Renders the page for a link's state. `form` has the posted values and their errors. */
  #renderPage(state: LinkState, form: Partial<TestimonialFormOptions> = {}): Response {
    const options = this.#createPageOptions();
    const { expired, expiredText } = options.translation.words.testimonialForm;
    if (state.kind === "over")
      return renderTextPage({ ...options, status: state.status }, expired, expiredText);
    if (state.kind === "written") return renderThanksPage(options);
    const questions = this.#findQuestions();
    return renderTestimonialForm({
      ...options,
      questions,
      input: EMPTY_INPUT,
      errors: {},
      ...form,
    });
  }

  #findQuestions(): string[] {
    const settings = this.#context.store.of(entities.testimonialSettings).read().value;
    const questions = splitLines(settings.questions);
    if (questions.join("\n") !== DEFAULT_TESTIMONIAL_QUESTIONS.join("\n")) return questions;
    const { testimonialForm } = this.#createPageOptions().translation.words;
    return Object.values(testimonialForm.questions);
  }

  async #submitTestimonial(
    request: Request,
    testimonialRequest: TestimonialRequest,
    input: TestimonialInput,
    visitor: Visitor,
  ) {
    const { site, translation } = this.#createPageOptions();
    const errors = findInputErrors(input, translation);
    if (Object.keys(errors).length > 0)
      return this.#renderPage({ kind: "open", testimonialRequest }, { input, errors, status: 422 });
    try {
      this.#context.rateLimits.admit(visitor, undefined);
      const consent = `${fillPlaceholders(translation.words.testimonialForm.consent, { name: site.siteName })} (${this.#formatCurrentTime()})`;
      await storeTestimonial(this.#storageContext, { testimonialRequest, input, consent });
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      const state = this.#readLinkState(request);
      // If the request was used or deleted in the meantime, the page of its new state explains this.
      if (state.kind !== "open") return this.#renderPage(state);
      const problem =
        error instanceof TestimonialsFullError
          ? translation.words.testimonialForm.full
          : translateRefusalMessage(translation, error.message);
      const { status, details } = error;
      return this.#renderPage(state, { input, problem, status, ...(details.headers && details) });
    }
    return this.#renderPage(this.#readLinkState(request));
  }

  async #withdrawTestimonial(id: string): Promise<Response> {
    const options = this.#createPageOptions();
    const { withdrawn, withdrawnText } = options.translation.words.testimonialForm;
    const note = `${withdrawn} (${this.#formatCurrentTime()})`;
    await withdrawTestimonial(this.#storageContext, id, note).catch((error) => {
      // An owner has already deleted the testimonial.
      if (!isRefusal(error, "not_found")) throw error;
    });
    return renderTextPage(options, withdrawn, withdrawnText);
  }

  readonly #formatCurrentTime = () =>
    new Intl.DateTimeFormat(toDateLocale(this.#createPageOptions().translation), {
      dateStyle: "long",
      timeStyle: "short",
      timeZone: getSiteTimeZone(this.#context.store),
    }).format(this.#context.clock());
}

const toDateLocale = ({ locale }: SiteWords) => (locale === "en" ? "en-GB" : locale);
