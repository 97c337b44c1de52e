/** Checks the times for a call that an owner suggests in a reply, lists upcoming ones, and adds them to messages. */
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
import { EMPTY_MESSAGE, textSchema } from "../../schema/kinds/kind.ts";
import type { StoredReply } from "../../schema/enquiry/visitors.ts";
import type { UpcomingTime } from "../../schema/api/mailResponses.ts";
import { createTooLongMessage } from "../../schema/core/formatNumber.ts";
import { ANSWER_REFUSALS } from "../../schema/core/refusals.ts";
import { MAX_URL_LENGTH } from "../../schema/core/boundedUnicode.ts";
import { completeUrl, toSafeUrl } from "../../schema/core/safeUrl.ts";
import { getWords } from "../../web/words/allWords.ts";
import { addColon, fillPlaceholders } from "../../web/words/placeholders.ts";
import {
  computeCallEnd,
  computeCallStart,
  hasOpenTimes,
  findOpenSuggestedTimes,
} from "../shared/callTimes.ts";
import { formatLocalTime } from "../shared/clock.ts";
import { invalidField } from "../shared/errors.ts";
import type { MessageBlock, MessageBranding } from "../shared/message.ts";
import type { Store } from "../storage/store.ts";
import {
  findEmail,
  createButtonBlock,
  findName,
  createSmallTextBlock,
  createTextBlock,
} from "../mail/messages/ownerMessages.ts";
import {
  formatTimeInRecipientZone,
  formatDateTime,
  describeLocation,
  formatZone,
} from "../shared/formatCall.ts";
import type { BookingLinks } from "./bookingLinks.ts";

type Submission = Item<"formSubmissions">;

/** The fields of a reply that suggest times. Without `at` the reply suggests none. */
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
  readonly zone: string;
  readonly now: number;
  /** The visitor's phone number; empty if there is none. */
  readonly phoneNumber: string;
}

/** Returns the times in chronological order. Throws a 422 with the invalid field, such as "at.2" for the third time. */
export function parseSuggestedTimes(
  { at, minutes, how, where }: SuggestedTimesInput,
  context: SuggestedTimesContext,
): SuggestedTime[] {
  if (at.length === 0) return [];
  const { zone, now, phoneNumber } = context;
  const location = { how, text: how === "call" ? phoneNumber : checkLocation(how, where) };
  const offers = at.map((localTime) => ({ at: localTime, zone, minutes, where: location }));
  const starts = offers.map(computeCallStart);
  for (const [index, start] of starts.entries()) {
    if (start <= now) throw invalidField(`at.${index}`, TIME_HAS_PASSED_MESSAGE);
    if (starts.indexOf(start) < index) throw invalidField(`at.${index}`, DUPLICATE_TIME_MESSAGE);
  }
  return offers.toSorted((one, other) => computeCallStart(one) - computeCallStart(other));
}

export const TIME_HAS_PASSED_MESSAGE = "This time has passed. Choose a later one.";
const DUPLICATE_TIME_MESSAGE = "This time is listed twice.";

function checkLocation(how: "online" | "place", where: string): string {
  if (how === "online") {
    const url = completeUrl(where);
    if (!toSafeUrl(url)?.startsWith("https://")) throw invalidField("where", ANSWER_REFUSALS.link);
    return url;
  }
  if (where === "") throw invalidField("where", EMPTY_MESSAGE);
  if (where.length > MAX_LOCATION_LENGTH)
    throw invalidField("where", createTooLongMessage(MAX_LOCATION_LENGTH));
  return where;
}

/** Returns why no times can be suggested to this visitor, as a message; null if they can. */
export function findSuggestionProblem({ replies, booked }: Submission, now: number): string | null {
  if (booked && computeCallEnd(booked) > now) return ALREADY_BOOKED_MESSAGE;
  return replies.filter((each) => hasOpenTimes(each, now)).length < MAX_OPEN_REPLIES_WITH_TIMES
    ? null
    : TOO_MANY_REPLIES_MESSAGE;
}

const ALREADY_BOOKED_MESSAGE =
  "A call with this person is already booked. Reschedule or cancel it first.";
const TOO_MANY_REPLIES_MESSAGE =
  "Three replies with suggested times are still waiting for an answer. Send this one without times.";

/** Returns all upcoming times that are suggested or booked, in the local time of `zone`. */
export async function findUpcomingTimes(
  store: Store,
  zone: string,
  now: number,
): Promise<UpcomingTime[]> {
  const where = { callsUntil: { from: new Date(now).toISOString() } };
  const enquiries = await Array.fromAsync(store.of(entities.formSubmissions).scan({ where }));
  return enquiries.flatMap(({ questions, replies, booked }) => {
    const times = [
      ...replies.flatMap((reply) => findOpenSuggestedTimes(reply, now)),
      ...(booked ? [booked] : []),
    ];
    const visitorName = getVisitorName(questions);
    return times
      .filter((time) => computeCallEnd(time) > now)
      .map((time) => ({
        at: formatLocalTime(computeCallStart(time), zone),
        minutes: time.minutes,
        who: visitorName,
      }));
  });
}

/** Returns the visitor's name for texts to the owner: the first name, else the email address, else "somebody". */
export const getVisitorName = (questions: Submission["questions"]): string =>
  findName(questions)?.trim().split(/\s/)[0] || findEmail(questions) || "somebody";

interface TimesRenderContext {
  readonly site: MessageBranding;
  readonly links: BookingLinks;
  readonly now: number;
}

/** Creates a button for each time, in the site's language. Creates nothing if the site's URL isn't configured. */
export function createSuggestedTimeBlocks(
  { id: submission, questions }: Submission,
  { id, offers = [] }: StoredReply,
  { site, links, now }: TimesRenderContext,
): MessageBlock[] {
  const [firstTime] = offers;
  if (!firstTime || site.siteUrl === undefined) return [];
  const translation = getWords(site.language);
  const { callTimes } = translation.words;
  const formatZoneOf = (suggestedTime: SuggestedTime) =>
    formatZone(computeCallStart(suggestedTime), suggestedTime.zone, translation);
  const hasSameZone = new Set(offers.map(formatZoneOf)).size === 1;
  const callLines = [
    fillPlaceholders(callTimes.duration, { minutes: firstTime.minutes }),
    describeLocation(firstTime, site.siteName, translation),
    ...(hasSameZone ? [fillPlaceholders(callTimes.inZone, { zone: formatZoneOf(firstTime) })] : []),
  ];
  return [
    createTextBlock(addColon(callTimes.chooseTitle, translation.words)),
    ...offers.flatMap((suggestedTime, index) => {
      const start = computeCallStart(suggestedTime);
      const label = formatDateTime(start, suggestedTime.zone, translation.locale, now);
      const path = links.createPath({ submission, reply: id }, index);
      const button = createButtonBlock(label, `${site.siteUrl}${path}`);
      // If the clocks change between the suggested times, the text below each button shows the offset of that time.
      const notes = [
        hasSameZone ? "" : formatZoneOf(suggestedTime),
        formatTimeInRecipientZone(suggestedTime, questions, translation) ?? "",
      ].filter((line) => line !== "");
      return notes.length === 0 ? [button] : [button, createSmallTextBlock(notes.join("\n"))];
    }),
    createSmallTextBlock(callLines.join("\n")),
  ];
}
