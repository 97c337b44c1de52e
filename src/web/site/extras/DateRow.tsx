/** One date: the day in large type, title and place, and links to tickets and a calendar file. */
import { formatWithOffset } from "../../../schema/sections/eventTimes.ts";
import type { Item } from "../../../schema/index.ts";
import { toSafeUrl } from "../../../schema/core/safeUrl.ts";
import { formatZoneCity } from "../../../schema/core/formatDate.ts";
import type { PageContext } from "../../shared/pageContext.ts";
import type { Words } from "../../words/en.ts";
import { addColon, fillPlaceholders } from "../../words/placeholders.ts";
import type { SiteWords } from "../../words/siteWords.ts";
import { TextLine } from "../parts/TextLine.tsx";

export type DateEvent = Item<"events">;

/** The texts and settings that all dates share, read only once, since there may be hundreds of dates. */
export interface DatesContext extends SiteWords, Pick<PageContext, "today" | "zone"> {
  /** The titles that several dates have. */
  readonly repeatedTitles: ReadonlySet<string>;
  /** True if all titles are equal. Each date's heading is then its town. */
  readonly isTour: boolean;
}

interface DateRowProps {
  readonly event: DateEvent;
  readonly context: DatesContext;
  readonly isOver: boolean;
}

export function DateRow({ event, context, isOver }: DateRowProps) {
  const { words, lang } = context;
  const { id, title, status, note } = event;
  const heading = (context.isTour && event.city) || title;
  const isCanceled = status === "cancelled";
  return (
    <article>
      <EventTime event={event} context={context} />
      <div>
        <h3 dir="auto">
          {isCanceled ? (
            <s>
              <TextLine text={heading} />
            </s>
          ) : (
            <TextLine text={heading} />
          )}
        </h3>
        <EventLocation event={event} context={context} />
        {note && (
          <p dir="auto">
            <TextLine text={note} />
          </p>
        )}
      </div>
      {!isOver && <TicketLink event={event} context={context} />}
      {!isOver && !isCanceled && (
        <a
          className="date-calendar"
          href={`/dates/${id}.ics`}
          lang={lang}
          aria-label={fillPlaceholders(words.dates.addToCalendar, {
            title: createAccessibleName(event, context),
          })}
        />
      )}
    </article>
  );
}

type EventPartProps = Pick<DateRowProps, "event" | "context">;

/** Shows the local day and time, the last day of a longer event, and the time zone if it isn't the site's. */
function EventTime({ event, context }: EventPartProps) {
  const { startsAt, endsAt, allDay, timeZone } = event;
  const { today, zone, words, locale, lang } = context;
  const { day, month, weekday } = getFormatters(locale);
  const [start, end] = [new Date(`${startsAt}Z`), new Date(`${endsAt ?? startsAt}Z`)];
  const formatYear = (date: Date) => {
    const year = date.toISOString().slice(0, 4);
    return today.startsWith(year) ? "" : ` ${year}`;
  };
  const hasLaterEnd = (endsAt ?? startsAt).slice(0, 10) > startsAt.slice(0, 10);
  const startTime = startsAt.slice(11);
  const isElsewhere = timeZone !== "" && timeZone !== zone;
  const time = isElsewhere
    ? fillPlaceholders(words.dates.inZone, { time: startTime, city: formatZoneCity(timeZone) })
    : startTime;
  return (
    <time
      dateTime={
        allDay ? startsAt.slice(0, 10) : formatDateTimeAttribute(startsAt, timeZone || zone)
      }
      lang={lang}
    >
      <b className="display">{day(start)}</b>
      <span>{month(start) + formatYear(start)}</span>
      {hasLaterEnd && <span>{`– ${day(end)} ${month(end)}${formatYear(end)}`}</span>}
      <small>{allDay ? weekday(start) : weekday(start) + NO_BREAK_SPACE + time}</small>
    </time>
  );
}

/** Separates the weekday from the time, and keeps them on one line even on a phone. */
const NO_BREAK_SPACE = "\u00a0";

/** Formats a time with its offset from UTC. The dashboard's preview omits the offset in browsers without Temporal. */
const formatDateTimeAttribute = (localTime: string, zone: string) =>
  typeof Temporal === "undefined" ? localTime : formatWithOffset(localTime, zone);

interface DatePartFormatters {
  readonly day: (date: Date) => string;
  readonly month: (date: Date) => string;
  readonly weekday: (date: Date) => string;
}

/** Formatters by language, cached since creating one takes as long as formatting hundreds of dates. */
const formatterCache = new Map<string, DatePartFormatters>();

function getFormatters(locale: string): DatePartFormatters {
  const createFormatter = (part: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...part, timeZone: "UTC" }).format;
  const parts = formatterCache.get(locale) ?? {
    day: createFormatter({ day: "numeric" }),
    month: createFormatter({ month: "short" }),
    weekday: createFormatter({ weekday: "short" }),
  };
  formatterCache.set(locale, parts);
  return parts;
}

function EventLocation({ event, context: { words, lang, contentLang, isTour } }: EventPartProps) {
  const { kind, title, venue, city } = event;
  const location = (isTour && city ? [title, venue] : [venue, city]).filter(Boolean).join(", ");
  if (kind === "stage")
    return (
      location && (
        <p dir="auto">
          <TextLine text={location} />
        </p>
      )
    );
  return (
    <p dir="auto">
      <span lang={lang}>{words.dates[kind]}</span>
      {location && (
        <>
          {" · "}
          <span lang={contentLang}>
            <TextLine text={location} />
          </span>
        </>
      )}
    </p>
  );
}

/** Returns a date's name for links. Screen readers list links by name, so a repeated title gets town and day. */
function createAccessibleName(
  { title, city, startsAt }: DateEvent,
  { locale, repeatedTitles }: DatesContext,
): string {
  if (!repeatedTitles.has(title)) return title;
  const { day, month } = getFormatters(locale);
  const start = new Date(`${startsAt}Z`);
  return [title, city, `${day(start)} ${month(start)}`].filter(Boolean).join(", ");
}

/** Renders the ticket button, or a text such as "Sold out" in its place. */
function TicketLink({ event, context }: EventPartProps) {
  const { words, lang } = context;
  const { status, tickets } = event;
  const address = toSafeUrl(event.ticketUrl);
  const { dates } = words;
  const statusText = status === "on" ? tickets === "out" && dates.soldOut : dates[status];
  if (statusText)
    return (
      <span className="date-action" lang={lang}>
        {statusText}
      </span>
    );
  if (!address) return null;
  const buttonText = getTicketButtonText(event, dates);
  return (
    <a
      className="button quiet date-action"
      href={address}
      lang={lang}
      aria-label={`${addColon(buttonText, words)} ${createAccessibleName(event, context)}`}
    >
      {buttonText}
    </a>
  );
}

function getTicketButtonText({ kind, tickets }: DateEvent, dates: Words["dates"]): string {
  if (kind === "screen") return dates.watch;
  if (kind === "online") return tickets === "free" ? dates.joinFree : dates.join;
  if (tickets === "free") return dates.free;
  return tickets === "few" ? dates.fewTicketsLeft : dates.tickets;
}
