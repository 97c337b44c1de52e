/**
 * GET and POST `/say?t=`: who was given a link writes a few words by it, once, and takes them back by the same link.
 * Looking at it changes nothing. The token alone says who may: there is no session, and no other token.
 */
import { Elysia } from "elysia";
import { isAdded } from "../../../schema/extra.ts";
import { entities, type Item } from "../../../schema/index.ts";
import { QUESTIONS } from "../../../schema/testimonialWords.ts";
import { linesOf } from "../../../schema/textLines.ts";
import { refusalIn, wordsFor } from "../../../web/words/all.ts";
import { fill } from "../../../web/words/fill.ts";
import type { SiteWords } from "../../../web/words/siteWords.ts";
import { readForm } from "../../http/body.ts";
import type { Visitor, VisitorPlugin } from "../../http/visitor.ts";
import { isRefusal, Refusal } from "../../shared/errors.ts";
import { zoneOf } from "../../shared/siteZone.ts";
import type { Store } from "../../storage/store.ts";
import type { Mail } from "../mail.ts";
import { isFull, keepTestimonial, type KeepingContext, takeBack } from "./keepTestimonial.ts";
import { NOTHING_TYPED, type Typed, typedIn, type Wrong, wrongIn } from "./said.ts";
import { SAY_PATH, type SayLinks } from "./sayLinks.ts";
import { askingPage, givenPage, overPage, refusedPage, takenPage } from "./sayPage.tsx";

/** As of an enquiry that comes without a proof of its filling time. Both throw a 429. */
export interface SayLimits {
  /** Counts every post, the refused ones too. */
  attempt(visitor: Visitor): void;
  /** Counts what is about to be stored. */
  admit(visitor: Visitor): void;
}

interface SayContext extends Omit<KeepingContext, "outbox" | "news"> {
  readonly store: Store;
  readonly mail: Pick<Mail, "outbox" | "testimonials" | "stationery">;
  readonly links: SayLinks;
  readonly limits: SayLimits;
  readonly visitors: VisitorPlugin;
}

type Asked = Item<"testimonialRequests">;

/** What a link is good for now. */
type Standing =
  | { readonly kind: "open"; readonly asked: Asked }
  | { readonly kind: "given"; readonly testimonialId: string }
  /** `status`: 404 for one that is not ours, 410 for one that was. */
  | { readonly kind: "over"; readonly status: 404 | 410 };

/** In bytes: 600 letters of any script, and what is around them. */
const LARGEST = 8 * 1024;
const FORM_TYPES = ["application/x-www-form-urlencoded", "multipart/form-data"];

export function sayRoutes(context: SayContext) {
  const { store, clock, mail, links, limits, visitors } = context;
  const keeping = { ...context, outbox: mail.outbox, news: mail.testimonials };
  const requests = store.of(entities.testimonialRequests);
  const dress = () => {
    const site = mail.stationery();
    return { site, own: wordsFor(site.language) };
  };

  function standing(request: Request): Standing {
    const id = links.read(new URL(request.url).searchParams.get("t"));
    const asked = requests.read().value.find((each) => each.id === id);
    if (id === undefined || !asked) return { kind: "over", status: 404 };
    const { testimonialId, usedAt, expiresAt } = asked;
    if (usedAt !== null) {
      const isThere = store
        .of(entities.testimonials)
        .read()
        .value.some((each) => each.id === testimonialId);
      return isThere && testimonialId !== null
        ? { kind: "given", testimonialId }
        : { kind: "over", status: 410 };
    }
    if (!isAdded(entities.testimonials, store.of(entities.extras).read().value.on))
      return { kind: "over", status: 404 };
    const isEnded = Date.parse(expiresAt ?? "") <= clock();
    return isEnded ? { kind: "over", status: 410 } : { kind: "open", asked };
  }

  /** The page of how it stands; `status` is that of the form, where something in it is wrong. */
  function shown(now: Standing, form: Partial<ShownForm> = {}): Response {
    const { typed = NOTHING_TYPED, wrong = {}, ...more } = form;
    if (now.kind === "over") return overPage({ ...dress(), status: now.status });
    if (now.kind === "given") return givenPage(dress());
    return askingPage({ ...dress(), questions: questions(), typed, wrong, ...more });
  }

  /** Those that the owner hasn't changed are in the site's language. */
  function questions(): string[] {
    const asked = linesOf(store.of(entities.testimonialSettings).read().value.questions);
    const isUsual = asked.join("\n") === QUESTIONS.join("\n");
    return isUsual ? Object.values(dress().own.words.say.questions) : asked;
  }

  async function take(request: Request, asked: Asked, typed: Typed, visitor: Visitor) {
    const { site, own } = dress();
    const wrong = wrongIn(typed, own);
    if (Object.keys(wrong).length > 0)
      return shown({ kind: "open", asked }, { typed, wrong, status: 422 });
    try {
      limits.admit(visitor);
      const agreed = `${fill(own.words.say.agree, { name: site.siteName })} (${moment()})`;
      await keepTestimonial(keeping, { asked, typed, agreed });
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      const now = standing(request);
      // Used meanwhile, or erased: it says so.
      if (now.kind !== "open") return shown(now);
      const problem = isFull(error) ? own.words.say.full : refusalIn(own, error.message);
      const { status, details } = error;
      return shown(now, { typed, problem, status, ...(details.headers && details) });
    }
    return shown(standing(request));
  }

  async function back(id: string): Promise<Response> {
    await takeBack(keeping, id, `${dress().own.words.say.taken} (${moment()})`).catch((error) => {
      // Deleted by its owner meanwhile.
      if (!isRefusal(error, "not_found")) throw error;
    });
    return takenPage(dress());
  }

  /** Now, in the site's words and time zone. */
  const moment = () =>
    new Intl.DateTimeFormat(inBritain(dress().own), {
      dateStyle: "long",
      timeStyle: "short",
      timeZone: zoneOf(store),
    }).format(clock());

  return new Elysia({ name: "say" })
    .use(visitors)
    .get(SAY_PATH, ({ request }) => shown(standing(request)))
    .post(
      SAY_PATH,
      async ({ request, visitor }) => {
        try {
          limits.attempt(visitor);
          const form = await readForm(request, LARGEST, FORM_TYPES);
          const now = standing(request);
          if (now.kind === "open") return await take(request, now.asked, typedIn(form), visitor);
          if (now.kind === "given" && form.get("do") === "take-back")
            return await back(now.testimonialId);
          return shown(now);
        } catch (error) {
          if (!(error instanceof Refusal) || error.status >= 500) throw error;
          const { status, details } = error;
          const { own, site } = dress();
          return refusedPage(
            { own, site, status, ...(details.headers && { headers: details.headers }) },
            refusalIn(own, error.message),
          );
        }
      },
      { parse: "none" },
    );
}

const inBritain = ({ locale }: SiteWords) => (locale === "en" ? "en-GB" : locale);

interface ShownForm {
  readonly typed: Typed;
  readonly wrong: Wrong;
  readonly problem: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}
