/**
 * Calendar files (RFC 5545): the dates, and calls with who has sent an enquiry. Times are instants, so that no time
 * zone has to be described.
 */

/** What a file says of itself. */
interface Calendar {
  /** What programs show where somebody follows it; a file that is sent has none. */
  readonly name?: string;
  /** Of which part of the program. */
  readonly product: string;
  /** True: a message that tells of its entries (RFC 5546). */
  readonly isPublished?: boolean;
  /** How often programs look for changes, in seconds. */
  readonly ttl?: number;
}

export interface CalendarEntry {
  /** The same for as long as it is the same entry. */
  readonly uid: string;
  readonly start: Date;
  /** With `allDay` the day after the last one. */
  readonly end: Date;
  readonly allDay?: boolean;
  /** When it was made or last changed: the same in every file of the same state. */
  readonly stamp: Date;
  /** How often it was changed. */
  readonly sequence?: number;
  readonly summary: string;
  readonly description?: string | null;
  readonly location?: string | null;
  readonly url?: string | null;
  readonly status: "CONFIRMED" | "TENTATIVE" | "CANCELLED";
  readonly organizer?: { readonly name: string; readonly email: string };
}

type CalendarText = (calendar: Calendar, entries: readonly CalendarEntry[]) => string;

/** Returns what writes a file. The library is loaded with the first one that somebody asks for. */
export async function calendarWriter(): Promise<CalendarText> {
  const { default: ical, ICalCalendarMethod, ICalEventStatus } = await import("ical-generator");
  return ({ name, product, isPublished = false, ttl }, entries) => {
    const calendar = ical({
      name: name ?? null,
      prodId: `//Limelight//${product}//EN`,
      ttl: ttl ?? null,
      method: isPublished ? ICalCalendarMethod.PUBLISH : null,
    });
    for (const { uid, status, ...entry } of entries)
      calendar.createEvent({ ...entry, id: uid, status: ICalEventStatus[status] });
    return calendar.toString();
  };
}

/** Of the files of a site, behind the @ of what each entry is known by; `siteId` where no address is known. */
export const calendarHost = (siteUrl: string | null | undefined, siteId: string): string =>
  siteUrl ? new URL(siteUrl).host : siteId;
