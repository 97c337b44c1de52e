/** Times that an owner suggests in a reply: their check, which are suggested already, and how a message shows them. */
import * as v from "valibot";
import {
  CALL_LENGTHS_MINUTES,
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
import { completeUrl, safeUrl } from "../../schema/core/safeUrl.ts";
import { getWords } from "../../web/words/all.ts";
import { fillPlaceholders } from "../../web/words/fill.ts";
import { callEnd, callStart, hasOpenTimes, openSuggestedTimes } from "../shared/callTimes.ts";
import { formatLocalTime } from "../shared/clock.ts";
import { invalidInput } from "../shared/errors.ts";
import type { MessageBlock, MessageBranding } from "../shared/message.ts";
import type { Store } from "../storage/store.ts";
import {
  findEmail,
  buttonBlock,
  findName,
  smallTextBlock,
  textBlock,
} from "../mail/messages/ownerMessages.ts";
import {
  formatTimeInRecipientZone,
  formatDateTime,
  describeLocation,
  formatZone,
} from "../shared/formatCall.ts";
import type { BookingLinks } from "./links.ts";

type Submission = Item<"formSubmissions">;

/** The fields of a reply that suggest times; without `at` it suggests none. */
export const suggestedTimesFields = {
  at: v.optional(
    v.pipe(
      v.array(wallTime("Time").schema),
      v.maxLength(MAX_TIMES_PER_REPLY, "Suggest at most five times."),
    ),
    [],
  ),
  minutes: v.optional(v.picklist(CALL_LENGTHS_MINUTES, ANSWER_REFUSALS.choose), 30),
  how: v.optional(
    v.picklist(
      CALL_METHODS.map(({ value }) => value),
      ANSWER_REFUSALS.choose,
    ),
    "call",
  ),
  where: v.optional(textSchema(MAX_URL_LENGTH), ""),
};

type SuggestedTimesInput = v.InferOutput<v.ObjectSchema<typeof suggestedTimesFields, undefined>>;

interface SuggestedTimesContext {
  /** Of the site. */
  readonly zone: string;
  readonly now: number;
  /** The visitor's number, or empty. */
  readonly number: string;
}

/** The times as stored, in chronological order. Throws 422, with messages by position in the request. */
export function parseSuggestedTimes(
  { at, minutes, how, where }: SuggestedTimesInput,
  context: SuggestedTimesContext,
): SuggestedTime[] {
  if (at.length === 0) return [];
  const { zone, now, number } = context;
  const location = how === "call" ? number : checkLocation(how, where);
  const offers = at.map((wall) => ({ at: wall, zone, minutes, where: { how, text: location } }));
  const starts = offers.map(callStart);
  for (const [index, start] of starts.entries()) {
    if (start <= now)
      throw invalidInput(TIME_HAS_PASSED_MESSAGE, { [`at.${index}`]: TIME_HAS_PASSED_MESSAGE });
    if (starts.indexOf(start) < index)
      throw invalidInput(DUPLICATE_TIME_MESSAGE, { [`at.${index}`]: DUPLICATE_TIME_MESSAGE });
  }
  return offers.toSorted((one, other) => callStart(one) - callStart(other));
}

export const TIME_HAS_PASSED_MESSAGE = "This time has passed. Choose a later one.";
const DUPLICATE_TIME_MESSAGE = "This time is listed twice.";
const LOCATION_TOO_LONG_MESSAGE = ANSWER_REFUSALS.tooLong.replace(
  "{most}",
  String(MAX_LOCATION_LENGTH),
);

function checkLocation(how: "online" | "place", where: string): string {
  const location = how === "online" ? completeUrl(where) : where;
  const fault = locationFault(how, location);
  if (fault !== undefined) throw invalidInput(fault, { where: fault });
  return location;
}

function locationFault(how: "online" | "place", where: string): string | undefined {
  if (how === "online")
    return safeUrl(where)?.startsWith("https://") ? undefined : ANSWER_REFUSALS.link;
  if (where === "") return EMPTY;
  return where.length > MAX_LOCATION_LENGTH ? LOCATION_TOO_LONG_MESSAGE : undefined;
}

/** Why no times can be suggested for an enquiry; null if they can. */
export function suggestionProblem({ replies, booked }: Submission, now: number): string | null {
  if (booked && callEnd(booked) > now) return ALREADY_BOOKED_MESSAGE;
  return replies.filter((each) => hasOpenTimes(each, now)).length < MAX_OPEN_REPLIES_WITH_TIMES
    ? null
    : TOO_MANY_REPLIES_MESSAGE;
}

const ALREADY_BOOKED_MESSAGE =
  "A call with this person is already booked. Reschedule or cancel it first.";
const TOO_MANY_REPLIES_MESSAGE =
  "Three replies with suggested times are still waiting for an answer. Send this one without times.";

/** All upcoming times suggested or booked, on the clocks of the site's zone. */
export async function findUpcomingTimes(
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
      ...replies.flatMap((reply) => openSuggestedTimes(reply, now)),
      ...(booked ? [booked] : []),
    ];
    const firstName = findFirstName(questions);
    return times
      .filter((time) => callEnd(time) > now)
      .map((time) => ({
        at: formatLocalTime(callStart(time), zone),
        minutes: time.minutes,
        who: firstName,
      }));
  });
}

/** Somebody's name for the owner. */
export const findFirstName = (questions: Submission["questions"]): string =>
  findName(questions)?.trim().split(/\s/)[0] || findEmail(questions) || "somebody";

interface SuggestedTimesMessage {
  readonly site: MessageBranding;
  readonly links: BookingLinks;
  readonly now: number;
}

/** A button for each time, in the site's language; none if the site's address isn't configured. */
export function createSuggestedTimeBlocks(
  { id: submission, questions }: Submission,
  { id, offers = [] }: StoredReply,
  { site, links, now }: SuggestedTimesMessage,
): MessageBlock[] {
  const [first] = offers;
  if (!first || site.siteUrl === undefined) return [];
  const translation = getWords(site.language);
  const { callTimes } = translation.words;
  const zoneOf = (offer: SuggestedTime) => formatZone(callStart(offer), offer.zone, translation);
  const isOneZone = new Set(offers.map(zoneOf)).size === 1;
  const meeting = [
    fillPlaceholders(callTimes.duration, { minutes: first.minutes }),
    describeLocation(first, site.siteName, translation),
    ...(isOneZone ? [fillPlaceholders(callTimes.inZone, { zone: zoneOf(first) })] : []),
  ];
  return [
    textBlock(`${callTimes.chooseTitle}:`),
    ...offers.flatMap((offer, at) => {
      const label = formatDateTime(callStart(offer), offer.zone, translation.locale, now);
      const link = buttonBlock(
        label,
        `${site.siteUrl}${links.make({ submission, reply: id }, at)}`,
      );
      // If the clocks change between them, each names its own offset.
      const besides = [
        isOneZone ? "" : zoneOf(offer),
        formatTimeInRecipientZone(offer, questions, translation) ?? "",
      ];
      const notes = besides.filter((line) => line !== "");
      return notes.length === 0 ? [link] : [link, smallTextBlock(notes.join("\n"))];
    }),
    smallTextBlock(meeting.join("\n")),
  ];
}
