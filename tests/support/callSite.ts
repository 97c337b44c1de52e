/** A site whose owner suggests times to people who sent an enquiry, with a mail server that accepts its messages. */
import { expect } from "bun:test";
import ICAL from "ical.js";
import { convertIcsCalendar } from "ts-ics";
import type { Email } from "postal-mime";
import { entities } from "../../src/schema/index.ts";
import { addForm, ANSWERS, createEnquiry } from "./enquirySite.ts";
import { startMailSite } from "./mailSite.ts";
import { waitForValue } from "./waits.ts";

/** Starts the site. With `hasLimits` it has the limits of a real site. */
export async function startCallSite({ hasLimits = false } = {}) {
  const env = { PRIVATE_CALLS: "on" };
  const { site, server } = await startMailSite({ hasAddress: true, hasLimits, env });
  await addForm(site.store);
  await site.asOwner("POST", "/api/site", { name: "Vera Lind", timeZone: "Europe/London" });
  const submissions = site.store.of(entities.formSubmissions);

  /** Sends an enquiry. Returns its id. */
  async function sent(answers: Record<string, unknown> = {}): Promise<string> {
    const body = createEnquiry({ ...ANSWERS, ...answers });
    const { status, body: made } = await site.visitor().post("/api/form-submissions", body);
    if (status !== 201) throw new Error(`an enquiry was refused: ${JSON.stringify(made)}`);
    return made.id;
  }

  /** Sends a reply with times. Returns the reply's id. */
  async function suggest(id: string, times: readonly string[], more: object = {}): Promise<string> {
    const body = { subject: "A call", text: "When would it suit you?", at: times, ...more };
    const changed = await site.asOwner("POST", `/api/form-submissions/${id}/replies`, body);
    return changed.replies.at(-1).id;
  }

  const linkOf = (submission: string, reply: string) =>
    site.mail.calls.links.createPath({ submission, reply });

  return {
    ...site,
    server,
    submissions,
    sent,
    suggest,
    linkOf,
    /** Deletes enquiries and messages, once pending messages have arrived. */
    async clear() {
      const outbox = site.store.of(entities.outbox);
      // Doesn't wait for the digest at the end of the hour, which more than 30 enquiries cause.
      const due = { state: "waiting", kind: { not: "digest" } } as const;
      await waitForValue(() => outbox.count(due), 0);
      await Promise.all([submissions.deleteWhere({}), outbox.deleteWhere({})]);
      server.received.length = 0;
    },
    getEnquiry: async (id: string) => (await submissions.get(id))!,
    /** Sends an enquiry and suggests times in a reply. Returns the ids of both, and the link to the times. */
    async sendAndSuggest(
      at: readonly string[],
      answers: Record<string, unknown> = {},
      more: object = {},
    ) {
      const id = await sent(answers);
      const reply = await suggest(id, at, more);
      return { id, reply, link: linkOf(id, reply) };
    },
    pressButton: (
      link: string,
      fields: Record<string, string>,
      headers: Record<string, string> = {},
    ) =>
      site.visitor().call("POST", link, new URLSearchParams(fields).toString(), {
        "content-type": "application/x-www-form-urlencoded",
        ...headers,
      }),
    /** Waits until this many messages with this subject have arrived at an address, and returns them. */
    async waitForMessages(subject: string | RegExp, to: string, count = 1): Promise<Email[]> {
      const findMessages = () =>
        server.received.filter(
          (each) =>
            each.to?.some(({ address }) => address === to) &&
            (typeof subject === "string" ? each.subject === subject : subject.test(each.subject!)),
        );
      await waitForValue(() => findMessages().length, count);
      return findMessages();
    },
    async stop() {
      await site.stop();
      await server.stop();
    },
  };
}

/** Returns the entry of a message's calendar file. */
export function readCalendarEntry({ attachments }: Email) {
  const [file, ...more] = attachments;
  if (!file || more.length > 0) throw new Error(`${attachments.length} files came`);
  const text =
    typeof file.content === "string" ? file.content : new TextDecoder().decode(file.content);
  return { ...readCalendarEntries(text)[0]!, file, text };
}

/** Returns the entries of a calendar file. Fails if two libraries read them differently. */
export function readCalendarEntries(text: string) {
  const entries = readEntriesWithIcal(text);
  const others = convertIcsCalendar(undefined, text).events ?? [];
  for (const [at, { uid, sequence, stamp, status, start }] of entries.entries())
    expect({ sequence: 0, ...others[at] }).toMatchObject({
      uid,
      sequence,
      status,
      stamp: { date: new Date(stamp) },
      start: { date: new Date(start) },
    });
  return entries;
}

function readEntriesWithIcal(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text));
  return calendar.getAllSubcomponents("vevent").map((component) => {
    const event = new ICAL.Event(component);
    return {
      method: calendar.getFirstPropertyValue("method"),
      uid: event.uid,
      sequence: Number(component.getFirstPropertyValue("sequence")),
      stamp: (component.getFirstPropertyValue("dtstamp") as ICAL.Time).toJSDate().toISOString(),
      status: component.getFirstPropertyValue("status"),
      summary: event.summary,
      location: event.location as string | null,
      start: event.startDate.toJSDate().toISOString(),
      end: event.endDate.toJSDate().toISOString(),
    };
  });
}

/** Returns a time in the zone, this many hours from now and rounded up to the hour. */
export const getWallTimeIn = (hours: number, zone = "Europe/London", from = Date.now()): string =>
  Temporal.Instant.fromEpochMilliseconds(from + hours * 3_600_000)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .round({ smallestUnit: "hour", roundingMode: "ceil" })
    .toString({ smallestUnit: "minute" });
