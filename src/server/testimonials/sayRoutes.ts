/**
 * GET and POST `/say?t=`: whoever has a link writes a few words, once, and withdraws them with the same link. Opening
 * it changes nothing. Only the token counts: there is no session, and no other token.
 */
import { Elysia } from "elysia";
import { isExtraEnabled } from "../../schema/entities/extra.ts";
import { entities, type Item } from "../../schema/index.ts";
import { DEFAULT_QUESTIONS } from "../../schema/sections/testimonialRules.ts";
import { linesOf } from "../../schema/entities/textLines.ts";
import { refusalIn, wordsFor } from "../../web/words/all.ts";
import { fill } from "../../web/words/fill.ts";
import type { SiteWords } from "../../web/words/siteWords.ts";
import { PUBLIC_JSON, readForm } from "../http/body.ts";
import type { Visitor, VisitorPlugin } from "../http/visitor.ts";
import { isRefusal, Refusal } from "../shared/errors.ts";
import { storeTimeZone } from "../shared/siteZone.ts";
import { findItem } from "../storage/findItem.ts";
import type { Store } from "../storage/store.ts";
import type { PageSite } from "../shared/pageSite.ts";
import type { Mail } from "../mail/mail.ts";
import type { TestimonialNews } from "./testimonialNotifications.ts";
import {
  isFull,
  storeTestimonial,
  type KeepingContext,
  withdrawTestimonial,
} from "./storeTestimonial.ts";
import {
  NOTHING_TYPED,
  type TestimonialInput,
  readInput,
  type InputErrors,
  inputErrors,
} from "./testimonialInput.ts";
import { SAY_PATH, type SayLinks } from "./sayLinks.ts";
import { sentencePage, testimonialFormPage, thanksPage } from "./testimonialPage.tsx";

interface SayContext extends Omit<KeepingContext, "outbox" | "news"> {
  readonly store: Store;
  readonly mail: Pick<Mail, "outbox"> & { readonly testimonials: TestimonialNews };
  readonly site: () => PageSite;
  readonly links: SayLinks;
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

export function sayRoutes(context: SayContext) {
  const page = new SayPage(context);
  return new Elysia({ name: "say" })
    .use(context.visitors)
    .get(SAY_PATH, ({ request }) => page.show(request))
    .post(SAY_PATH, ({ request, visitor }) => page.post(request, visitor), { parse: "none" });
}

class SayPage {
  readonly #context: SayContext;
  readonly #keeping: KeepingContext;

  constructor(context: SayContext) {
    const { mail } = context;
    this.#context = context;
    this.#keeping = { ...context, outbox: mail.outbox, news: mail.testimonials };
  }

  show(request: Request): Response {
    return this.#shown(this.#standing(request));
  }

  async post(request: Request, visitor: Visitor): Promise<Response> {
    try {
      this.#context.guards.attempt(visitor);
      const form = await readForm(request, PUBLIC_JSON, FORM_TYPES);
      const now = this.#standing(request);
      if (now.kind === "open")
        return await this.#submit(request, now.testimonialRequest, readInput(form), visitor);
      if (now.kind === "given" && form.get("do") === "take-back")
        return await this.#back(now.testimonialId);
      return this.#shown(now);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      const { status, details } = error;
      const { translation, site } = this.#dress();
      const answer = {
        translation,
        site,
        status,
        ...(details.headers && { headers: details.headers }),
      };
      return sentencePage(
        answer,
        translation.words.refused.title,
        refusalIn(translation, error.message),
      );
    }
  }

  #dress() {
    const site = this.#context.site();
    return { site, translation: wordsFor(site.language) };
  }

  #standing(request: Request): LinkState {
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
  #shown(now: LinkState, form: Partial<ShownForm> = {}): Response {
    const { typed = NOTHING_TYPED, wrong = {}, ...more } = form;
    const dress = this.#dress();
    const { over, overText } = dress.translation.words.say;
    if (now.kind === "over") return sentencePage({ ...dress, status: now.status }, over, overText);
    if (now.kind === "given") return thanksPage(dress);
    return testimonialFormPage({ ...dress, questions: this.#questions(), typed, wrong, ...more });
  }

  /** In the site's language unless the owner changed them. */
  #questions(): string[] {
    const chosen = linesOf(
      this.#context.store.of(entities.testimonialSettings).read().value.questions,
    );
    const isUsual = chosen.join("\n") === DEFAULT_QUESTIONS.join("\n");
    return isUsual ? Object.values(this.#dress().translation.words.say.questions) : chosen;
  }

  async #submit(
    request: Request,
    testimonialRequest: TestimonialRequest,
    typed: TestimonialInput,
    visitor: Visitor,
  ) {
    const { site, translation } = this.#dress();
    const wrong = inputErrors(typed, translation);
    if (Object.keys(wrong).length > 0)
      return this.#shown({ kind: "open", testimonialRequest }, { typed, wrong, status: 422 });
    try {
      this.#context.guards.admit(visitor, undefined);
      const agreed = `${fill(translation.words.say.agree, { name: site.siteName })} (${this.#currentTime()})`;
      await storeTestimonial(this.#keeping, { testimonialRequest, typed, agreed });
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      const now = this.#standing(request);
      // Used or erased meanwhile: the page explains that.
      if (now.kind !== "open") return this.#shown(now);
      const problem = isFull(error)
        ? translation.words.say.full
        : refusalIn(translation, error.message);
      const { status, details } = error;
      return this.#shown(now, { typed, problem, status, ...(details.headers && details) });
    }
    return this.#shown(this.#standing(request));
  }

  async #back(id: string): Promise<Response> {
    const dress = this.#dress();
    const { taken, takenText } = dress.translation.words.say;
    await withdrawTestimonial(this.#keeping, id, `${taken} (${this.#currentTime()})`).catch(
      (error) => {
        // Deleted by its owner since.
        if (!isRefusal(error, "not_found")) throw error;
      },
    );
    return sentencePage(dress, taken, takenText);
  }

  /** Now, in the site's language and zone. */
  readonly #currentTime = () =>
    new Intl.DateTimeFormat(inBritain(this.#dress().translation), {
      dateStyle: "long",
      timeStyle: "short",
      timeZone: storeTimeZone(this.#context.store),
    }).format(this.#context.clock());
}

const inBritain = ({ locale }: SiteWords) => (locale === "en" ? "en-GB" : locale);

interface ShownForm {
  readonly typed: TestimonialInput;
  readonly wrong: InputErrors;
  readonly problem: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}
