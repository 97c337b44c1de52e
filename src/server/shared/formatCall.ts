/** Formats the time and place of a call: in the site's language for a visitor, and in English for an owner. */
import { COUNTRIES } from "../../schema/core/countries.ts";
import type { SuggestedTime } from "../../schema/enquiry/calls.ts";
import type { AnsweredQuestion } from "../../schema/enquiry/visitors.ts";
import { formatZoneCity } from "../../schema/core/formatDate.ts";
import { fillPlaceholders } from "../../web/words/placeholders.ts";
import type { SiteWords } from "../../web/words/siteWords.ts";
import { computeCallStart } from "./callTimes.ts";
import { toZonedTime } from "./clock.ts";

type Translation = Pick<SiteWords, "words" | "locale">;

const createFormat = (locale: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale === "en" ? "en-GB" : locale, options);

const TIME_FORMAT = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const DAY_FORMAT = { weekday: "long", day: "numeric", month: "long" } as const;

/** Formats a point in time like "Sunday 14 March, 20:00", with the year unless it is the current year. */
export function formatDateTime(instant: number, zone: string, locale: string, now: number): string {
  const isThisYear = toZonedTime(instant, zone).year === toZonedTime(now, zone).year;
  const year = isThisYear ? undefined : "numeric";
  const formattedDay = createFormat(locale, { ...DAY_FORMAT, year, timeZone: zone }).format(
    instant,
  );
  // Removes the comma that English dates have after the weekday, such as in "Sunday, 14 March".
  const day = locale === "en" ? formattedDay.replace(", ", " ") : formattedDay;
  return `${day}, ${formatTime(instant, zone, locale)}`;
}

const formatTime = (instant: number, zone: string, locale: string) =>
  createFormat(locale, { ...TIME_FORMAT, timeZone: zone }).format(instant);

/** Formats a zone like "London time, GMT+00:00". When clocks go back, the offset shows which hour is meant. */
export function formatZone(instant: number, zone: string, { words, locale }: Translation): string {
  const format = createFormat(locale, { timeZone: zone, timeZoneName: "longOffset" });
  const offset = format.formatToParts(instant).find(({ type }) => type === "timeZoneName");
  return fillPlaceholders(words.callTimes.zone, {
    city: formatZoneCity(zone),
    offset: offset?.value ?? "",
  });
}

/** Describes where a call takes place: a link, a place or a phone number. `name` is the site's name. */
export function describeLocation(
  { where: { how, text } }: SuggestedTime,
  name: string,
  { words }: Translation,
): string {
  const { callTimes } = words;
  if (how === "online") return fillPlaceholders(callTimes.online, { link: text });
  if (how === "place") return text;
  return text === ""
    ? fillPlaceholders(callTimes.callsYou, { name })
    : fillPlaceholders(callTimes.callsAtNumber, { name, number: text });
}

/** Returns a text such as "That is 21:00 in Berlin."; undefined if both people's zones have the same offset. */
export function formatTimeInRecipientZone(
  suggestedTime: SuggestedTime,
  questions: readonly AnsweredQuestion[],
  { words, locale }: Translation,
): string | undefined {
  const instant = computeCallStart(suggestedTime);
  const zone = findRecipientZone(questions, instant);
  if (zone === undefined) return undefined;
  const [senderTime, recipientTime] = [
    toZonedTime(instant, suggestedTime.zone),
    toZonedTime(instant, zone),
  ];
  if (senderTime.offsetNanoseconds === recipientTime.offsetNanoseconds) return undefined;
  const time = formatTime(instant, zone, locale);
  const isSameDay = senderTime.toPlainDate().equals(recipientTime.toPlainDate());
  const dayPrefix = isSameDay
    ? ""
    : `${createFormat(locale, { ...DAY_FORMAT, timeZone: zone }).format(instant)}, `;
  return fillPlaceholders(words.callTimes.recipientTime, {
    time: dayPrefix + time,
    city: formatZoneCity(zone),
  });
}

/** Derives the recipient's zone from the country in the answers, else from the phone number's prefix. */
function findRecipientZone(
  questions: readonly AnsweredQuestion[],
  instant: number,
): string | undefined {
  const findAnswer = (type: string) => questions.find((each) => each.type === type)?.answer;
  const countriesByName = COUNTRIES.filter(({ name }) => name === findAnswer("country"));
  const phoneNumber = findAnswer("international_phone");
  const countriesByPrefix = COUNTRIES.filter(
    ({ dial }) =>
      typeof phoneNumber === "string" && phoneNumber.replace(/[^\d+]/g, "").startsWith(dial),
  );
  return chooseZone(countriesByName, instant) ?? chooseZone(countriesByPrefix, instant);
}

const computeZoneDepth = (zone: string) => zone.split("/").length;

/** Chooses the zone whose name has the fewest parts: America/Argentina/Salta is only a part of the country. */
function chooseZone(countries: typeof COUNTRIES, instant: number): string | undefined {
  const zones = countries.flatMap(
    ({ code }) => new Intl.Locale(`und-${code}`).getTimeZones?.() ?? [],
  );
  const offsets = new Set(zones.map((zone) => toZonedTime(instant, zone).offsetNanoseconds));
  if (offsets.size !== 1) return undefined;
  return zones.toSorted((one, other) => computeZoneDepth(one) - computeZoneDepth(other))[0];
}
