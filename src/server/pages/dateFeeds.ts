/** Calendar feeds (RFC 5545): all dates at /dates.ics, a single date at /dates/{id}.ics. */
import { findCountryName } from "../../schema/core/countries.ts";
import { findTranslationLanguage } from "../../schema/core/languages.ts";
import {
  computeNextDay,
  computeEventEnd,
  computeEventStart,
} from "../../schema/sections/eventTimes.ts";
import { isExtraEnabled } from "../../schema/entities/extra.ts";
import { type Content, entities, type Item } from "../../schema/index.ts";
import { parseUrl } from "../../schema/core/boundedUnicode.ts";
import { toSafeUrl } from "../../schema/core/safeUrl.ts";
import type { Representation } from "../http/conditionalRequests.ts";
import {
  type CalendarEntry,
  getCalendarHost,
  createCalendarWriter,
} from "../shared/calendarFile.ts";
import { type Clock, getCreationTime } from "../shared/clock.ts";
import { getSiteTimeZone } from "../shared/siteZone.ts";
import { DAY, SECOND, parseTimestamp } from "../shared/time.ts";
import type { Store } from "../storage/store.ts";
import { toRepresentation } from "./generatedFiles.ts";
import { readPublicContent } from "./publicContent.ts";

interface DateFeedsContext {
  readonly store: Store;
  /** SITE_URL without a trailing slash, or null. */
  readonly siteUrl: string | null;
  readonly now: Clock;
}

/** The time for which a past date stays in the feed, so that it doesn't disappear from calendars at once. */
const PAST_DATES_MS = 30 * DAY;

const MAX_DATES = 200;

const DATES_PATH_PATTERN = /^\/dates(?:\/([\da-f-]{36}))?\.ics$/;

interface DateFeeds {
  /** Returns the file at a path; undefined for an unknown path, and for a date that visitors can't see. */
  readonly findFile: (path: string) => Promise<Representation | undefined>;
  /** Call this when the content changes. */
  readonly invalidate: () => void;
}

export function createDateFeeds({ store, siteUrl, now }: DateFeedsContext): DateFeeds {
  const fileCache = new Map<string, Representation>();
  const host = getCalendarHost(siteUrl, store.siteId);

  function findShownEvents(id: string | undefined): Content<"events"> | undefined {
    const events = readPublicContent(store, "events", { now: now() });
    if (id !== undefined) {
      const event = events.find((each) => each.id === id);
      return event && [event];
    }
    if (!isExtraEnabled(entities.events, store.of(entities.extras).read().value.on))
      return undefined;
    const zone = getSiteTimeZone(store);
    return events
      .filter((event) => computeEventEnd(event, zone) > now() - PAST_DATES_MS)
      .slice(0, MAX_DATES);
  }

  return {
    async findFile(path) {
      const match = DATES_PATH_PATTERN.exec(path);
      if (!match) return undefined;
      // No `await` may follow this one: the content could change during it, and an old file would stay in the cache.
      const writeCalendar = await createCalendarWriter();
      const events = findShownEvents(match[1]);
      if (!events) return undefined;
      const cachedFile = fileCache.get(path);
      if (cachedFile) return cachedFile;
      const { name, language } = readPublicContent(store, "site");
      const locale = findTranslationLanguage(language);
      const entryOptions = {
        host,
        locale,
        siteUrl,
        zone: getSiteTimeZone(store),
        findChangeTime: createChangeFinder(store),
      };
      const calendar = { name, product: "Dates", ttl: 6 * 3600 };
      const text = writeCalendar(
        calendar,
        events.map((event) => createEntry(event, entryOptions)),
      );
      const file = toRepresentation(
        { type: "text/calendar; charset=utf-8", body: text },
        match[1] === undefined ? {} : SINGLE_EVENT_HEADERS,
      );
      fileCache.set(path, file);
      return file;
    },
    invalidate: () => fileCache.clear(),
  };
}

const SINGLE_EVENT_HEADERS = { "content-disposition": 'attachment; filename="date.ics"' };

interface EntryOptions {
  readonly host: string;
  readonly locale: string;
  readonly siteUrl: string | null;
  readonly zone: string;
  /** Returns the time of an entry's last change, in milliseconds since 1970. */
  readonly findChangeTime: (event: Item<"events">) => number;
}

const ICS_STATUSES = { on: "CONFIRMED", postponed: "TENTATIVE", cancelled: "CANCELLED" } as const;

const createEntry = (
  event: Item<"events">,
  { host, locale, siteUrl, zone, findChangeTime }: EntryOptions,
): CalendarEntry => ({
  uid: `${event.id}@${host}`,
  ...createEntryTimes(event, zone),
  ...createSequence(event.id, findChangeTime(event)),
  summary: event.title,
  description: event.note,
  location: formatLocation(event, locale),
  url: formatUrl(event.ticketUrl, siteUrl),
  status: ICS_STATUSES[event.status],
});

/**
 * Returns a function that finds the time of an entry's last change. The site's settings count, too: they contain the
 * time zone for dates without their own.
 */
function createChangeFinder(store: Store): EntryOptions["findChangeTime"] {
  const changeTimes = new Map(
    store
      .of(entities.events)
      .read()
      .value.map(({ id, changedAt }) => [id, parseTimestamp(changedAt)]),
  );
  const zoneChangedAt = parseTimestamp(store.of(entities.site).read().savedAt);
  return ({ id, timeZone }) => {
    const times = [changeTimes.get(id) ?? Number.NaN, timeZone === "" ? zoneChangedAt : Number.NaN];
    return Math.max(getCreationTime(id), ...times.filter((time) => !Number.isNaN(time)));
  };
}

/** Returns a number that rises with each change (RFC 5546, section 2.1.4), and the time of the last change. */
const createSequence = (id: string, changedAt: number) => ({
  stamp: new Date(changedAt),
  sequence: Math.floor((changedAt - getCreationTime(id)) / SECOND),
});

/** Returns the times in UTC, so that no time zone definition is needed. The end of an all-day date is exclusive. */
function createEntryTimes(event: Item<"events">, zone: string) {
  const { startsAt, endsAt, allDay } = event;
  if (!allDay)
    return {
      start: new Date(computeEventStart(event, zone)),
      end: new Date(computeEventEnd(event, zone)),
    };
  return {
    allDay,
    start: new Date(startsAt.slice(0, 10)),
    end: new Date(computeNextDay(endsAt ?? startsAt)),
  };
}

/** Returns an absolute, encoded URL (RFC 5545, section 3.3.13). Owners may enter a path or non-ASCII letters. */
function formatUrl(storedUrl: string | null, siteUrl: string | null): string | null {
  const url = toSafeUrl(storedUrl);
  const absoluteUrl = url?.startsWith("/") ? siteUrl && siteUrl + url : url;
  return (absoluteUrl && parseUrl(absoluteUrl)?.href) || null;
}

function formatLocation({ venue, address, city, country }: Item<"events">, locale: string) {
  const parts = [venue, address, city, findCountryName(country, locale)].filter(Boolean);
  return parts.length > 0 ? parts.join(", ") : null;
}
