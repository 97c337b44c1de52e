/** A date: the day in large type, what and where, links to tickets and a calendar file. */
import { withOffset } from "../../../schema/sections/eventTimes.ts";
import type { Item } from "../../../schema/index.ts";
import { safeUrl } from "../../../schema/core/safeUrl.ts";
import { cityOf } from "../../../schema/core/zoneCity.ts";
import type { Shell } from "../../shared/shell.ts";
import type { Words } from "../../words/en.ts";
import { fill } from "../../words/fill.ts";
import type { SiteWords } from "../../words/siteWords.ts";
import { TextLine } from "../parts/TextLine.tsx";

export type Event = Item<"events">;

/** Shared by a page's dates and read once, as there may be hundreds. */
export interface OnPage extends SiteWords, Pick<Shell, "today" | "zone"> {
  /** The titles that several dates have. */
  readonly repeated: ReadonlySet<string>;
  /** All titles are equal, so that the towns are in large type. */
  readonly isTour: boolean;
}

interface DateRowProps {
  readonly event: Event;
  readonly on: OnPage;
  readonly isOver: boolean;
}

export function DateRow({ event, on, isOver }: DateRowProps) {
  const { words, lang } = on;
  const { id, title, status, note } = event;
  const name = (on.isTour && event.city) || title;
  const isCancelled = status === "cancelled";
  return (
    <article>
      <When event={event} on={on} />
      <div>
        <h3 dir="auto">
          {isCancelled ? (
            <s>
              <TextLine text={name} />
            </s>
          ) : (
            <TextLine text={name} />
          )}
        </h3>
        <Where event={event} on={on} />
        {note && (
          <p dir="auto">
            <TextLine text={note} />
          </p>
        )}
      </div>
      {!isOver && <TicketLink event={event} on={on} />}
      {!isOver && !isCancelled && (
        <a
          className="date-calendar"
          href={`/dates/${id}.ics`}
          lang={lang}
          aria-label={fill(words.dates.one, { title: nameOf(event, on) })}
        />
      )}
    </article>
  );
}

type Part = Pick<DateRowProps, "event" | "on">;

/** Local day and time; also the last day, and the zone if it isn't the site's. */
function When({ event, on }: Part) {
  const { startsAt, endsAt, allDay, timeZone } = event;
  const { today, zone, words, locale, lang } = on;
  const { day, month, weekday } = partsOf(locale);
  const [starts, ends] = [new Date(`${startsAt}Z`), new Date(`${endsAt ?? startsAt}Z`)];
  const year = (date: Date) => {
    const its = date.toISOString().slice(0, 4);
    return today.startsWith(its) ? "" : ` ${its}`;
  };
  const isLater = (endsAt ?? startsAt).slice(0, 10) > startsAt.slice(0, 10);
  const hour = startsAt.slice(11);
  const isElsewhere = timeZone !== "" && timeZone !== zone;
  const time = isElsewhere
    ? fill(words.dates.inZone, { time: hour, city: cityOf(timeZone) })
    : hour;
  return (
    <time
      dateTime={allDay ? startsAt.slice(0, 10) : machineTime(startsAt, timeZone || zone)}
      lang={lang}
    >
      <b className="display">{day(starts)}</b>
      <span>{month(starts) + year(starts)}</span>
      {isLater && <span>{`– ${day(ends)} ${month(ends)}${year(ends)}`}</span>}
      <small>{allDay ? weekday(starts) : weekday(starts) + UNBROKEN + time}</small>
    </time>
  );
}

/** Keeps day and time on one line, even on a phone. */
const UNBROKEN = "\u00a0";

/** A preview in a browser without Temporal has no offset. */
const machineTime = (wall: string, zone: string) =>
  typeof Temporal === "undefined" ? wall : withOffset(wall, zone);

/** Parts separately: the layout arranges them. */
interface Parts {
  readonly day: (date: Date) => string;
  readonly month: (date: Date) => string;
  readonly weekday: (date: Date) => string;
}

/** Cached per language: a formatter costs as much as hundreds of dates. */
const cache = new Map<string, Parts>();

function partsOf(locale: string): Parts {
  const formatter = (part: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...part, timeZone: "UTC" }).format;
  const parts = cache.get(locale) ?? {
    day: formatter({ day: "numeric" }),
    month: formatter({ month: "short" }),
    weekday: formatter({ weekday: "short" }),
  };
  cache.set(locale, parts);
  return parts;
}

function Where({ event, on: { words, lang, ownersLang, isTour } }: Part) {
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
          <span lang={ownersLang}>
            <TextLine text={location} />
          </span>
        </>
      )}
    </p>
  );
}

/** For screen readers, which list links apart from their dates: a tour has one title many times. */
function nameOf({ title, city, startsAt }: Event, { locale, repeated }: OnPage): string {
  if (!repeated.has(title)) return title;
  const { day, month } = partsOf(locale);
  const starts = new Date(`${startsAt}Z`);
  return [title, city, `${day(starts)} ${month(starts)}`].filter(Boolean).join(", ");
}

/** The button, or the text that replaces it. */
function TicketLink({ event, on }: Part) {
  const { words, lang } = on;
  const { status, tickets } = event;
  const address = safeUrl(event.ticketUrl);
  const { dates } = words;
  const word = status === "on" ? tickets === "out" && dates.soldOut : dates[status];
  if (word)
    return (
      <span className="date-action" lang={lang}>
        {word}
      </span>
    );
  if (!address) return null;
  return (
    <a
      className="button quiet date-action"
      href={address}
      lang={lang}
      aria-label={`${invitation(event, dates)}: ${nameOf(event, on)}`}
    >
      {invitation(event, dates)}
    </a>
  );
}

/** The button's text for a kind of date. */
function invitation({ kind, tickets }: Event, dates: Words["dates"]): string {
  if (kind === "screen") return dates.watch;
  if (kind === "online") return tickets === "free" ? dates.joinFree : dates.join;
  if (tickets === "free") return dates.free;
  return tickets === "few" ? dates.few : dates.tickets;
}
