/** One date: the day large, what and where beside it, the way to tickets and into a calendar. */
import { withOffset } from "../../../schema/eventTimes.ts";
import type { Item } from "../../../schema/index.ts";
import { safeUrl } from "../../../schema/safeUrl.ts";
import { cityOf } from "../../../schema/zoneCity.ts";
import type { Shell } from "../../shared/shell.ts";
import type { Words as AllWords } from "../../words/en.ts";
import { fill } from "../../words/fill.ts";
import type { SiteWords } from "../../words/siteWords.ts";
import { Words } from "../parts/Words.tsx";

export type Event = Item<"events">;

/** What a page's dates have in common: read once, as there may be hundreds. */
export interface OnPage extends SiteWords, Pick<Shell, "today" | "zone"> {}

interface DateRowProps {
  readonly event: Event;
  readonly on: OnPage;
  /** Nobody goes there any more. */
  readonly isOver: boolean;
}

export function DateRow({ event, on, isOver }: DateRowProps) {
  const { words, lang } = on;
  const { id, title, status, note } = event;
  const isCancelled = status === "cancelled";
  return (
    <article>
      <When event={event} on={on} />
      <div>
        <h3 dir="auto">
          {isCancelled ? (
            <s>
              <Words text={title} />
            </s>
          ) : (
            <Words text={title} />
          )}
        </h3>
        <Where event={event} on={on} />
        {note && (
          <p dir="auto">
            <Words text={note} />
          </p>
        )}
      </div>
      {!isOver && <Way event={event} on={on} />}
      {!isOver && !isCancelled && (
        <a
          className="date-calendar"
          href={`/dates/${id}.ics`}
          lang={lang}
          aria-label={fill(words.dates.one, { title })}
        />
      )}
    </article>
  );
}

type Part = Pick<DateRowProps, "event" | "on">;

/** The day and the hour of the place; a last day and another zone than the site's are said. */
function When({ event, on }: Part) {
  const { startsAt, endsAt, allDay, timeZone } = event;
  const { today, zone, words, locale, lang } = on;
  const year = (wall: string) => (wall.startsWith(today.slice(0, 4)) ? "" : ` ${wall.slice(0, 4)}`);
  const said = partOf(locale);
  const day = startsAt.slice(0, 10);
  const end = endsAt ?? startsAt;
  const hour = startsAt.slice(11);
  const isElsewhere = timeZone !== "" && timeZone !== zone;
  const time = isElsewhere
    ? fill(words.dates.inZone, { time: hour, city: cityOf(timeZone) })
    : hour;
  return (
    <time dateTime={allDay ? day : machineTime(startsAt, timeZone || zone)} lang={lang}>
      <b>{said(startsAt, { day: "numeric" })}</b>
      <span>
        {said(startsAt, { month: "short" })}
        {year(startsAt)}
      </span>
      {end.slice(0, 10) > day && (
        <span>
          {`– ${said(end, { day: "numeric" })} ${said(end, { month: "short" })}${year(end)}`}
        </span>
      )}
      <small>
        {said(startsAt, { weekday: "short" })}
        {!allDay && ` ${time}`}
      </small>
    </time>
  );
}

/** A preview in a browser without Temporal says no offset. */
const machineTime = (wall: string, zone: string) =>
  typeof Temporal === "undefined" ? wall : withOffset(wall, zone);

const formats = new Map<string, Intl.DateTimeFormat>();

/** Each part by itself: what stands between them is set by the page. */
const partOf =
  (locale: string) =>
  (wall: string, part: Intl.DateTimeFormatOptions): string => {
    const key = `${locale} ${Object.keys(part).join()}`;
    let format = formats.get(key);
    if (!format) {
      format = new Intl.DateTimeFormat(locale, { ...part, timeZone: "UTC" });
      formats.set(key, format);
    }
    return format.format(new Date(`${wall}Z`));
  };

function Where({ event: { kind, venue, city }, on: { words, lang, ownersLang } }: Part) {
  const place = [venue, city].filter((part) => part !== null).join(", ");
  const medium = kind === "stage" ? undefined : words.dates[kind];
  if (!place && !medium) return null;
  return (
    <p dir="auto">
      {medium && <span lang={lang}>{medium}</span>}
      {medium && place && " · "}
      <span lang={medium ? ownersLang : undefined}>
        <Words text={place} />
      </span>
    </p>
  );
}

/** The button, or the word that stands in its place. */
function Way({ event, on: { words, lang } }: Part) {
  const { status, tickets, title } = event;
  const address = safeUrl(event.ticketUrl);
  const { dates } = words;
  const word = status === "on" ? tickets === "out" && dates.soldOut : dates[status];
  if (word)
    return (
      <span className="date-way" lang={lang}>
        {word}
      </span>
    );
  if (!address) return null;
  return (
    <a
      className="button quiet date-way"
      href={address}
      lang={lang}
      aria-label={`${invitation(event, dates)}: ${title}`}
    >
      {invitation(event, dates)}
    </a>
  );
}

/** What is to be had where a date takes place. */
function invitation({ kind, tickets }: Event, dates: AllWords["dates"]): string {
  if (kind === "screen") return dates.watch;
  if (kind === "online") return tickets === "free" ? dates.joinFree : dates.join;
  if (tickets === "free") return dates.free;
  return tickets === "few" ? dates.few : dates.tickets;
}
