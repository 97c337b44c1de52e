/** Writes calendar files (RFC 5545) of public dates and booked calls, with times in UTC. */

interface Calendar {
  /** The name that subscribers see; undefined for a file that is sent by mail. */
  readonly name?: string;
  /** The part of this program that writes the file; included in the property PRODID. */
  readonly product: string;
  /** True for a file in a message, which gets METHOD:PUBLISH (RFC 5546). */
  readonly hasPublishMethod?: boolean;
  /** The interval at which subscribers should reload the file, in seconds. */
  readonly ttl?: number;
}

export interface CalendarEntry {
  /** The entry's id, which never changes, so that calendars update the entry. */
  readonly uid: string;
  readonly start: Date;
  /** The end, exclusive. With `allDay`, this is the day after the last day. */
  readonly end: Date;
  readonly allDay?: boolean;
  /** When the entry was created or last changed. The current time would make every file differ. */
  readonly stamp: Date;
  /** A number that increases with each change of the entry (RFC 5545, section 3.8.7.4). */
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

/** Escapes a calendar's name (RFC 5545, section 3.3.11), because the library doesn't. */
const escapeName = (text: string): string =>
  text.replace(/[\r\n]+/g, " ").replace(/[\\;,]/g, "\\$&");

/** Encodes commas and semicolons, which the library would escape with backslashes (RFC 5545, section 3.3.13). */
const escapeUrlSeparators = (url: string): string =>
  url.replaceAll(",", "%2C").replaceAll(";", "%3B");

/** Returns the part after the @ in each entry's UID: the site's host, or `siteId` if no URL is configured. */
export const getCalendarHost = (siteUrl: string | null | undefined, siteId: string): string =>
  siteUrl ? new URL(siteUrl).host : siteId;
