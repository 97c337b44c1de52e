/**
 * The page where a visitor chooses one of a reply's suggested times. Opening the page changes nothing, because mail
 * scanners follow links; only its buttons do.
 */
import { Elysia } from "elysia";
import { MAX_DECLINE_MESSAGE_LENGTH } from "../../schema/enquiry/calls.ts";
import { sanitizeAnswer } from "../../schema/enquiry/answers.ts";
import {
  hasControlCharacters,
  CONTROL_CHARACTERS_MESSAGE,
} from "../../schema/core/invisibleCharacters.ts";
import { ANSWER_REFUSALS } from "../../schema/core/refusals.ts";
import { MAX_PUBLIC_JSON_BYTES, readForm } from "../http/body.ts";
import type { Visitor, VisitorPlugin } from "../http/visitor.ts";
import type { Clock } from "../shared/clock.ts";
import { invalidInput, Refusal } from "../shared/errors.ts";
import type { PageSite } from "../shared/plainPage.tsx";
import type { Bookings, BookingPageState } from "./bookings.ts";
import { BOOKING_PATH, type BookingLinks } from "./bookingLinks.ts";
import { renderBookingPage } from "./bookingPage.tsx";

interface BookingPageContext {
  readonly calls: { readonly bookings: Bookings; readonly links: BookingLinks };
  readonly site: () => PageSite;
  /** The rate limits of an enquiry without a proof of the filling time. */
  readonly rateLimits: {
    countAttempt(visitor: Visitor): void;
    admit(visitor: Visitor, started: undefined): void;
  };
  readonly visitors: VisitorPlugin;
  readonly clock: Clock;
}

const ACCEPTED_TYPES = ["application/x-www-form-urlencoded"];
const MESSAGE_TOO_LONG_MESSAGE = ANSWER_REFUSALS.tooLong.replace(
  "{most}",
  String(MAX_DECLINE_MESSAGE_LENGTH),
);

/**
 * GET `/times?t=` shows the times of a reply; `&at=` selects the one at this position. POST with `time` books the time
 * at that position. POST with `none` declines all, with a `line` for the owner.
 */
export function createBookingPageRoutes({
  calls,
  site,
  rateLimits,
  visitors,
  clock,
}: BookingPageContext) {
  const show = (
    state: BookingPageState,
    more: { selectedIndex?: number; refusal?: Refusal; line?: string } = {},
  ) => renderBookingPage(site(), state, { now: clock(), ...more });

  async function handlePost(request: Request, visitor: Visitor): Promise<Response> {
    const { token } = readBookingQuery(request);
    const link = calls.links.read(token);
    let line = "";
    try {
      rateLimits.countAttempt(visitor);
      const posted = await readForm(request, MAX_PUBLIC_JSON_BYTES, { types: ACCEPTED_TYPES });
      if (!link) return show({ kind: "broken" });
      rateLimits.admit(visitor, undefined);
      if (!posted.has("none"))
        return show(await calls.bookings.chooseTime(link, parseTimeIndex(posted.get("time"))));
      line = sanitizeAnswer(String(posted.get("line") ?? ""));
      return show(await calls.bookings.declineTimes(link, checkDeclineMessage(line)));
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      return show(await calls.bookings.readState(link), { refusal, line });
    }
  }

  return new Elysia({ name: "times" })
    .use(visitors)
    .get(BOOKING_PATH, async ({ request }) => {
      const { token, at } = readBookingQuery(request);
      return show(await calls.bookings.readState(calls.links.read(token)), { selectedIndex: at });
    })
    .post(BOOKING_PATH, ({ request, visitor }) => handlePost(request, visitor), { parse: "none" });
}

function readBookingQuery({ url }: Request) {
  const { searchParams } = new URL(url);
  return { token: searchParams.get("t"), at: parseTimeIndex(searchParams.get("at")) };
}

/** Reads the position of a time; -1 for anything else. */
const parseTimeIndex = (input: unknown): number =>
  typeof input === "string" && /^\d$/.test(input) ? Number(input) : -1;

function checkDeclineMessage(line: string): string {
  if (line.length > MAX_DECLINE_MESSAGE_LENGTH) throw invalidInput(MESSAGE_TOO_LONG_MESSAGE);
  if (hasControlCharacters(line)) throw invalidInput(CONTROL_CHARACTERS_MESSAGE);
  return line;
}
