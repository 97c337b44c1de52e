/** The page to choose a suggested time. Only its buttons change anything, because mail scanners open links. */
import { Elysia } from "elysia";
import { MAX_DECLINE_MESSAGE_LENGTH } from "../../schema/enquiry/calls.ts";
import { sanitizeAnswer } from "../../schema/enquiry/answers.ts";
import {
  hasControlCharacters,
  CONTROL_CHARACTERS_MESSAGE,
} from "../../schema/core/invisibleCharacters.ts";
import { createTooLongMessage } from "../../schema/core/formatNumber.ts";
import { FORM_MEDIA_TYPES, MAX_PUBLIC_JSON_BYTES, readForm } from "../http/body.ts";
import type { Visitor, VisitorPlugin } from "../http/visitor.ts";
import type { Clock } from "../shared/clock.ts";
import { invalidInput, Refusal } from "../shared/errors.ts";
import type { PageBranding } from "../shared/plainPage.tsx";
import type { Bookings, BookingPageState } from "./bookings.ts";
import { BOOKING_PATH, type BookingLinks } from "./bookingLinks.ts";
import { type BookingPageOptions, renderBookingPage } from "./bookingPage.tsx";

interface BookingPageContext {
  readonly calls: { readonly bookings: Bookings; readonly links: BookingLinks };
  readonly getSite: () => PageBranding;
  /** The rate limits of enquiries. `started` is undefined, because this page's form has no signed start time. */
  readonly rateLimits: {
    countAttempt(visitor: Visitor): void;
    admit(visitor: Visitor, started: undefined): void;
  };
  readonly visitorPlugin: VisitorPlugin;
  readonly clock: Clock;
}

/** GET `/times?t=` shows a reply's times; `&at=` selects one. POST with `time` books one; with `none`, declines all. */
export function createBookingPageRoutes(context: BookingPageContext) {
  const { calls, getSite, rateLimits, visitorPlugin, clock } = context;
  const renderState = (state: BookingPageState, options: Omit<BookingPageOptions, "now"> = {}) =>
    renderBookingPage(getSite(), state, { now: clock(), ...options });

  async function handlePost(request: Request, visitor: Visitor): Promise<Response> {
    const { token } = readBookingQuery(request);
    const linkIds = calls.links.read(token);
    let message = "";
    try {
      rateLimits.countAttempt(visitor);
      const form = await readForm(request, MAX_PUBLIC_JSON_BYTES, { mediaTypes: FORM_MEDIA_TYPES });
      if (!linkIds) return renderState({ kind: "broken" });
      rateLimits.admit(visitor, undefined);
      const index = parseTimeIndex(form.get("time"));
      if (!form.has("none")) return renderState(await calls.bookings.chooseTime(linkIds, index));
      message = sanitizeAnswer(String(form.get("line") ?? ""));
      return renderState(await calls.bookings.declineTimes(linkIds, checkDeclineMessage(message)));
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      return renderState(await calls.bookings.readState(linkIds), { refusal, message });
    }
  }

  return new Elysia({ name: "times" })
    .use(visitorPlugin)
    .get(BOOKING_PATH, async ({ request }) => {
      const { token, index: selectedIndex } = readBookingQuery(request);
      const state = await calls.bookings.readState(calls.links.read(token));
      return renderState(state, { selectedIndex });
    })
    .post(BOOKING_PATH, ({ request, visitor }) => handlePost(request, visitor), { parse: "none" });
}

function readBookingQuery({ url }: Request) {
  const { searchParams } = new URL(url);
  return { token: searchParams.get("t"), index: parseTimeIndex(searchParams.get("at")) };
}

/** Parses the position of a time; returns -1 for any other input. */
const parseTimeIndex = (input: unknown): number =>
  typeof input === "string" && /^\d$/.test(input) ? Number(input) : -1;

function checkDeclineMessage(message: string): string {
  if (message.length > MAX_DECLINE_MESSAGE_LENGTH)
    throw invalidInput(createTooLongMessage(MAX_DECLINE_MESSAGE_LENGTH));
  if (hasControlCharacters(message)) throw invalidInput(CONTROL_CHARACTERS_MESSAGE);
  return message;
}
