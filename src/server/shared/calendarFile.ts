/**
 * Calendar files (RFC 5545): public dates, and calls with people who sent an enquiry. Times are instants, so no time
 * zone has to be described.
 */

/** The properties of a calendar file itself. */
interface Calendar {
  /** The name shown to subscribers; unset in a file sent by mail. */
  readonly name?: string;
  /** The part of this program that writes the file, for PRODID. */
  readonly product: string;
  /** True for a message that announces its entries (RFC 5546, METHOD:PUBLISH). */
  readonly hasPublishMethod?: boolean;
  /** The interval at which subscribers should refresh, in seconds. */
  readonly ttl?: number;
}

export interface CalendarEntry {
  /** Stays the same for the whole life of the entry. */
  readonly uid: string;
  readonly start: Date;
  /** The exclusive end: with `allDay`, the day after the last day. */
  readonly end: Date;
  readonly allDay?: boolean;
  /** When the entry was created or last changed. The current time would make every file differ. */
  readonly stamp: Date;
  /** A number that rises with each change of the entry (RFC 5545, section 3.8.7.4). */
  readonly sequence?: number;
  readonly summary: string;
  readonly description?: string | null;
  readonly location?: string | null;
  readonly url?: string | null;
  readonly status: "CONFIRMED" | "TENTATIVE" | "CANCELLED";
  readonly organizer?: { readonly name: string; readonly email: string };
}

type FormatCalendar = (calendar: Calendar, entries: readonly CalendarEntry[]) => string;

/** Returns a function that writes calendar files. The library is loaded on first use. */
export async function createCalendarWriter(): Promise<FormatCalendar> {
  const { default: ical, ICalCalendarMethod, ICalEventStatus } = await import("ical-generator");
  return ({ name, product, hasPublishMethod = false, ttl }, entries) => {
    const calendar = ical({
      name: name === undefined ? null : escapeName(name),
      prodId: `//Limelight//${product}//EN`,
      ttl: ttl ?? null,
      method: hasPublishMethod ? ICalCalendarMethod.PUBLISH : null,
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

/** Escapes a calendar's name (section 3.3.11), which the library writes as it is. Line breaks become spaces. */
const escapeName = (text: string): string =>
  text.replace(/[\r\n]+/g, " ").replace(/[\\;,]/g, "\\$&");

/**
 * Encodes commas and semicolons, which the library would escape although readers don't unescape URLs (section 3.3.13).
 */
const escapeUrlSeparators = (url: string): string =>
  url.replaceAll(",", "%2C").replaceAll(";", "%3B");

/** Returns the part after the @ in each entry's UID: the site's host, or `siteId` if no address is known. */
export const getCalendarHost = (siteUrl: string | null | undefined, siteId: string): string =>
  siteUrl ? new URL(siteUrl).host : siteId;
