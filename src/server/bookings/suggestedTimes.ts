/** Times that an owner suggests in a reply: their check, which are suggested already, and how a message shows them. */
import * as v from "valibot";
import {
  CALL_LENGTHS,
  CALL_METHODS,
  MAX_LOCATION_LENGTH,
  MAX_TIMES_PER_REPLY,
  MAX_OPEN_REPLIES_WITH_TIMES,
  type SuggestedTime,
} from "../../schema/enquiry/calls.ts";
import { wallTime } from "../../schema/kinds/fields.ts";
import { entities, type Item } from "../../schema/index.ts";
import { EMPTY, textSchema } from "../../schema/kinds/kind.ts";
import type { StoredReply } from "../../schema/enquiry/visitors.ts";
import type { UpcomingTime } from "../../schema/api/mailResponses.ts";
import { ANSWER_REFUSALS } from "../../schema/core/refusals.ts";
import { MAX_URL_LENGTH } from "../../schema/core/boundedUnicode.ts";
import { fullUrl, safeUrl } from "../../schema/core/safeUrl.ts";
import { wordsFor } from "../../web/words/all.ts";
import { fill } from "../../web/words/fill.ts";
import { callEnd, callStart, hasOpenTimes, openOffers } from "../shared/callTimes.ts";
import { localTimeIn } from "../shared/clock.ts";
import { invalid } from "../shared/errors.ts";
import type { Block, MessageBranding } from "../shared/message.ts";
import type { Store } from "../storage/store.ts";
import { findEmail, button, findName, small, text } from "../mail/messages/ownerMessages.ts";
import {
  timeInRecipientZone,
  formatDateTime,
  describeLocation,
  formatZone,
} from "../shared/formatCall.ts";
import type { TimesLinks } from "./links.ts";

type Submission = Item<"formSubmissions">;

/** The fields of a reply that suggest times; without `at` it suggests none. */
export const suggestedTimesBody = {
  at: v.optional(
    v.pipe(
      v.array(wallTime("Time").schema),
      v.maxLength(MAX_TIMES_PER_REPLY, "Suggest at most five times."),
    ),
    [],
  ),
  minutes: v.optional(v.picklist(CALL_LENGTHS, ANSWER_REFUSALS.choose), 30),
  how: v.optional(
    v.picklist(
      CALL_METHODS.map(({ value }) => value),
      ANSWER_REFUSALS.choose,
    ),
    "call",
  ),
  where: v.optional(textSchema(MAX_URL_LENGTH), ""),
};

type Sent = v.InferOutput<v.ObjectSchema<typeof suggestedTimesBody, undefined>>;

interface OffersContext {
  /** Of the site. */
  readonly zone: string;
  readonly now: number;
  /** The visitor's number, or empty. */
  readonly number: string;
}

/** The times as stored, in chronological order. Throws 422, with messages by position in the request. */
export function parseSuggestedTimes(
  { at, minutes, how, where }: Sent,
  context: OffersContext,
): SuggestedTime[] {
  if (at.length === 0) return [];
  const { zone, now, number } = context;
  const location = how === "call" ? number : checkedLocation(how, where);
  const offers = at.map((wall) => ({ at: wall, zone, minutes, where: { how, text: location } }));
  const starts = offers.map(callStart);
  for (const [index, start] of starts.entries()) {
    if (start <= now) throw invalid(TIME_HAS_PASSED, { [`at.${index}`]: TIME_HAS_PASSED });
    if (starts.indexOf(start) < index) throw invalid(TWICE, { [`at.${index}`]: TWICE });
  }
  return offers.toSorted((one, other) => callStart(one) - callStart(other));
}

export const TIME_HAS_PASSED = "This time has passed. Choose a later one.";
const TWICE = "This time is listed twice.";
const TOO_LONG = ANSWER_REFUSALS.tooLong.replace("{most}", String(MAX_LOCATION_LENGTH));

function checkedLocation(how: "online" | "place", where: string): string {
  const location = how === "online" ? fullUrl(where) : where;
  const fault = faultOf(how, location);
  if (fault !== undefined) throw invalid(fault, { where: fault });
  return location;
}

function faultOf(how: "online" | "place", where: string): string | undefined {
  if (how === "online")
    return safeUrl(where)?.startsWith("https://") ? undefined : ANSWER_REFUSALS.link;
  if (where === "") return EMPTY;
  return where.length > MAX_LOCATION_LENGTH ? TOO_LONG : undefined;
}

/** Why no times can be suggested for an enquiry; null if they can. */
export function suggestionProblem({ replies, booked }: Submission, now: number): string | null {
  if (booked && callEnd(booked) > now) return IS_BOOKED;
  return replies.filter((each) => hasOpenTimes(each, now)).length < MAX_OPEN_REPLIES_WITH_TIMES
    ? null
    : TOO_MANY_ROUNDS;
}

const IS_BOOKED = "A call with this person is already booked. Reschedule or cancel it first.";
const TOO_MANY_ROUNDS =
  "Three replies with suggested times are still waiting for an answer. Send this one without times.";

/** All upcoming times suggested or booked, on the clocks of the site's zone. */
export async function suggestedTimes(
  store: Store,
  zone: string,
  now: number,
): Promise<UpcomingTime[]> {
  const submissions = store.of(entities.formSubmissions);
  const keys = await submissions.keys({ callsUntil: { from: new Date(now).toISOString() } });
  const enquiries = await Promise.all(keys.map(({ id }) => submissions.get(id)));
  return enquiries.flatMap((enquiry) => {
    if (!enquiry) return [];
    const { questions, replies, booked } = enquiry;
    const times = [
      ...replies.flatMap((reply) => openOffers(reply, now)),
      ...(booked ? [booked] : []),
    ];
    const firstName = firstNameIn(questions);
    return times
      .filter((time) => callEnd(time) > now)
      .map((time) => ({
        at: localTimeIn(callStart(time), zone),
        minutes: time.minutes,
        who: firstName,
      }));
  });
}

/** Somebody's name for the owner. */
export const firstNameIn = (questions: Submission["questions"]): string =>
  findName(questions)?.trim().split(/\s/)[0] || findEmail(questions) || "somebody";

interface OffersMessage {
  readonly site: MessageBranding;
  readonly links: TimesLinks;
  readonly now: number;
}

/** A button for each time, in the site's language; none if the site's address isn't configured. */
export function suggestedTimeBlocks(
  { id: submission, questions }: Submission,
  { id, offers = [] }: StoredReply,
  { site, links, now }: OffersMessage,
): Block[] {
  const [first] = offers;
  if (!first || site.siteUrl === undefined) return [];
  const translation = wordsFor(site.language);
  const { times } = translation.words;
  const zoneOf = (offer: SuggestedTime) => formatZone(callStart(offer), offer.zone, translation);
  const isOneZone = new Set(offers.map(zoneOf)).size === 1;
  const meeting = [
    fill(times.minutes, { minutes: first.minutes }),
    describeLocation(first, site.siteName, translation),
    ...(isOneZone ? [fill(times.inZone, { zone: zoneOf(first) })] : []),
  ];
  return [
    text(`${times.choose}:`),
    ...offers.flatMap((offer, at) => {
      const label = formatDateTime(callStart(offer), offer.zone, translation.locale, now);
      const link = button(label, `${site.siteUrl}${links.make({ submission, reply: id }, at)}`);
      // If the clocks change between them, each names its own offset.
      const besides = [
        isOneZone ? "" : zoneOf(offer),
        timeInRecipientZone(offer, questions, translation) ?? "",
      ];
      const notes = besides.filter((line) => line !== "");
      return notes.length === 0 ? [link] : [link, small(notes.join("\n"))];
    }),
    small(meeting.join("\n")),
  ];
}
