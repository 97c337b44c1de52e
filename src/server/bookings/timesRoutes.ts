/**
 * The page behind a reply's buttons for suggested times. Opening it changes nothing, since mail scanners follow links;
 * only its buttons do.
 */
import { Elysia } from "elysia";
import { MAX_DECLINE_MESSAGE_LENGTH } from "../../schema/enquiry/calls.ts";
import { sanitizeAnswer } from "../../schema/enquiry/answers.ts";
import { hasControls, CONTROL_CHARACTERS_MESSAGE } from "../../schema/core/invisibleCharacters.ts";
import { ANSWER_REFUSALS } from "../../schema/core/refusals.ts";
import { PUBLIC_JSON, readForm } from "../http/body.ts";
import type { Visitor, VisitorPlugin } from "../http/visitor.ts";
import type { Clock } from "../shared/clock.ts";
import { invalid, Refusal } from "../shared/errors.ts";
import type { PageSite } from "../shared/pageSite.ts";
import type { BookingPageState } from "./bookings.ts";
import type { Calls } from "./calls.ts";
import { TIMES_PATH } from "./links.ts";
import { timesPage } from "./bookingPage.tsx";

interface TimesRoutesContext {
  readonly calls: Pick<Calls, "bookings" | "links">;
  readonly site: () => PageSite;
  /** Those of an enquiry without a proof of filling time. */
  readonly guards: {
    attempt(visitor: Visitor): void;
    admit(visitor: Visitor, started: undefined): void;
  };
  readonly visitors: VisitorPlugin;
  readonly clock: Clock;
}

const TYPES = ["application/x-www-form-urlencoded"];
const TOO_LONG = ANSWER_REFUSALS.tooLong.replace("{most}", String(MAX_DECLINE_MESSAGE_LENGTH));

/**
 * GET `/times?t=` shows a reply's times, with `&at=` one of them selected. POST `time` books the one at this
 * position, or with `none` declines all, with a `line`.
 */
export function bookingPageRoutes({ calls, site, guards, visitors, clock }: TimesRoutesContext) {
  const show = (
    state: BookingPageState,
    more: { chosen?: number; refusal?: Refusal; line?: string } = {},
  ) => timesPage(site(), state, { now: clock(), ...more });

  async function press(request: Request, visitor: Visitor): Promise<Response> {
    const { token } = queryOf(request);
    const link = calls.links.read(token);
    let line = "";
    try {
      guards.attempt(visitor);
      const posted = await readForm(request, PUBLIC_JSON, TYPES);
      if (!link) return show({ kind: "broken" });
      guards.admit(visitor, undefined);
      if (!posted.has("none"))
        return show(await calls.bookings.choose(link, indexIn(posted.get("time"))));
      line = sanitizeAnswer(String(posted.get("line") ?? ""));
      return show(await calls.bookings.decline(link, checkedLine(line)));
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      return show(await calls.bookings.state(link), { refusal, line });
    }
  }

  return new Elysia({ name: "times" })
    .use(visitors)
    .get(TIMES_PATH, async ({ request }) => {
      const { token, at } = queryOf(request);
      return show(await calls.bookings.state(calls.links.read(token)), { chosen: at });
    })
    .post(TIMES_PATH, ({ request, visitor }) => press(request, visitor), { parse: "none" });
}

function queryOf({ url }: Request) {
  const { searchParams } = new URL(url);
  return { token: searchParams.get("t"), at: indexIn(searchParams.get("at")) };
}

/** The position of a time; -1 for anything else. */
const indexIn = (sent: unknown): number =>
  typeof sent === "string" && /^\d$/.test(sent) ? Number(sent) : -1;

function checkedLine(line: string): string {
  if (line.length > MAX_DECLINE_MESSAGE_LENGTH) throw invalid(TOO_LONG);
  if (hasControls(line)) throw invalid(CONTROL_CHARACTERS_MESSAGE);
  return line;
}
