/**
 * Calendar files (RFC 5545): public dates, and calls with people who sent an enquiry. Times are instants, so no time
 * zone has to be described.
 */

/** A file's own properties. */
interface Calendar {
  /** The name shown to subscribers; none for a file sent by mail. */
  readonly name?: string;
  /** The part of the program it is from. */
  readonly product: string;
  /** True for a message that announces its entries (RFC 5546). */
  readonly isPublished?: boolean;
  /** The interval at which subscribers should refresh, in seconds. */
  readonly ttl?: number;
}

export interface CalendarEntry {
  /** Stable for the life of the entry. */
  readonly uid: string;
  readonly start: Date;
  /** With `allDay`, the day after the last one. */
  readonly end: Date;
  readonly allDay?: boolean;
  /** When it was created or last changed, so that files of the same state are identical. */
  readonly stamp: Date;
  /** Rises with each change (RFC 5545, section 3.8.7.4). */
  readonly sequence?: number;
  readonly summary: string;
  readonly description?: string | null;
  readonly location?: string | null;
  readonly url?: string | null;
  readonly status: "CONFIRMED" | "TENTATIVE" | "CANCELLED";
  readonly organizer?: { readonly name: string; readonly email: string };
}

type FormatCalendar = (calendar: Calendar, entries: readonly CalendarEntry[]) => string;

/** Returns a function that writes files. The library is loaded on first use. */
export async function createCalendarWriter(): Promise<FormatCalendar> {
  const { default: ical, ICalCalendarMethod, ICalEventStatus } = await import("ical-generator");
  return ({ name, product, isPublished = false, ttl }, entries) => {
    const calendar = ical({
      name: name === undefined ? null : toOneLine(name),
      prodId: `//Limelight//${product}//EN`,
      ttl: ttl ?? null,
      method: isPublished ? ICalCalendarMethod.PUBLISH : null,
    });
    for (const { uid, status, url, ...entry } of entries)
      calendar.createEvent({
        ...entry,
        url: url ? escapeUrlSeparators(url) : null,
        id: uid,
        status: ICalEventStatus[status],
      });
    return calendar.toString();
  };
}

/** The library writes a calendar's name as it is; many readers show a backslash that would escape its commas. */
const toOneLine = (text: string): string => text.replace(/[\r\n]+/g, " ");

/** The library escapes these two in a URL as in a text, which readers of a URL don't expect (section 3.3.13). */
const escapeUrlSeparators = (url: string): string =>
  url.replaceAll(",", "%2C").replaceAll(";", "%3B");

/** The part after the @ in each entry's UID: the site's host, or `siteId` when no address is known. */
export const calendarHost = (siteUrl: string | null | undefined, siteId: string): string =>
  siteUrl ? new URL(siteUrl).host : siteId;
