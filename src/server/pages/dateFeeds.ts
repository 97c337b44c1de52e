/** Dates as calendars read them: all of them at /dates.ics, one at /dates/{id}.ics (RFC 5545). */
import { countryNamed } from "../../schema/countries.ts";
import { dayAfter, endOf, startOf } from "../../schema/eventTimes.ts";
import { isAdded } from "../../schema/extra.ts";
import { type Content, entities, type Item } from "../../schema/index.ts";
import { safeUrl } from "../../schema/safeUrl.ts";
import { encodedText, MADE_ONCE, type Representation } from "../http/conditional.ts";
import { type CalendarEntry, calendarHost, calendarWriter } from "../shared/calendarFile.ts";
import type { Clock } from "../shared/clock.ts";
import { zoneOf } from "../shared/siteZone.ts";
import { DAY } from "../shared/time.ts";
import type { Store } from "../storage/store.ts";
import { publicContent } from "./storeSource.ts";

interface DateFeedsContext {
  readonly store: Store;
  /** SITE_URL without a trailing slash, or null. */
  readonly siteUrl: string | null;
  /** The time that the site goes by. */
  readonly now: Clock;
}

/** How long a date stays in the feed once it is over, so that calendars keep it. */
const KEPT = 30 * DAY;

const MOST = 200;

const PATH = /^\/dates(?:\/([\da-f-]{36}))?\.ics$/;

interface DateFeeds {
  /** The file at a path; undefined for one that is none, and while visitors see no such date. */
  readonly at: (path: string) => Promise<Representation | undefined>;
  /** Something that they are made of has changed. */
  readonly changed: () => void;
}

/** Each is made once for a state of the dates. */
export function dateFeeds({ store, siteUrl, now }: DateFeedsContext): DateFeeds {
  const made = new Map<string, Representation>();
  const host = calendarHost(siteUrl, store.siteId);
  const shown = () => publicContent(store, "events", { now: now() });
  const isOn = () => isAdded(entities.events, store.of(entities.extras).read().value.on);

  function listed(id: string | undefined): Content<"events"> | undefined {
    const zone = zoneOf(store);
    if (id !== undefined) {
      const found = shown().filter((event) => event.id === id);
      return found.length > 0 ? found : undefined;
    }
    if (!isOn()) return undefined;
    return shown()
      .filter((event) => endOf(event, zone) > now() - KEPT)
      .slice(0, MOST);
  }

  return {
    async at(path) {
      const match = PATH.exec(path);
      if (!match) return undefined;
      // From here on nothing changes until the file is kept.
      const write = await calendarWriter();
      const events = listed(match[1]);
      if (!events) return undefined;
      const known = made.get(path);
      if (known) return known;
      const name = publicContent(store, "site").name;
      const at = { host, zone: zoneOf(store) };
      const calendar = { name, product: "Dates", ttl: 6 * 3600 };
      const text = write(
        calendar,
        events.map((event) => entryOf(event, at)),
      );
      const file = representationOf(text, match[1] !== undefined);
      made.set(path, file);
      return file;
    },
    changed: () => made.clear(),
  };
}

function representationOf(text: string, isOne: boolean): Representation {
  const bytes = new TextEncoder().encode(text);
  return {
    headers: {
      "content-type": "text/calendar; charset=utf-8",
      "cache-control": "no-cache",
      ...(isOne && { "content-disposition": 'attachment; filename="date.ics"' }),
    },
    etag: `"${Bun.hash(bytes).toString(36)}"`,
    ...encodedText(bytes, MADE_ONCE),
  };
}

interface EntryOptions {
  readonly host: string;
  readonly zone: string;
}

const STATUSES = { on: "CONFIRMED", postponed: "TENTATIVE", cancelled: "CANCELLED" } as const;

const entryOf = (event: Item<"events">, { host, zone }: EntryOptions): CalendarEntry => ({
  uid: `${event.id}@${host}`,
  ...timesOf(event, zone),
  // The same in every answer, or the file would be another one each time.
  stamp: new Date(madeAt(event.id)),
  summary: event.title,
  description: event.note,
  location: placeOf(event),
  url: safeUrl(event.ticketUrl) ?? null,
  status: STATUSES[event.status],
});

/** Instants, so that no time zone has to be described; of all day, days, the last of them left out. */
function timesOf(event: Item<"events">, zone: string) {
  const { startsAt, endsAt, allDay } = event;
  if (!allDay) return { start: new Date(startOf(event, zone)), end: new Date(endOf(event, zone)) };
  return {
    allDay,
    start: new Date(startsAt.slice(0, 10)),
    end: new Date(dayAfter(endsAt ?? startsAt)),
  };
}

function placeOf({ venue, address, city, country }: Item<"events">): string | null {
  const parts = [venue, address, city, countryNamed(country)].filter(Boolean);
  return parts.length > 0 ? parts.join(", ") : null;
}

/** When an item was made: its id is a UUIDv7 (RFC 9562), which begins with that. */
const madeAt = (id: string): number => Number.parseInt(id.slice(0, 13).replace("-", ""), 16);
