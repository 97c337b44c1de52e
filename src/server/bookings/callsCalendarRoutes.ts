/** A calendar feed of the booked calls. It shows each call's person, form, time and location, but no answers. */
import { randomBytes } from "node:crypto";
import { Elysia } from "elysia";
import { entities } from "../../schema/index.ts";
import { isOwner } from "../../schema/core/roles.ts";
import type { CreatedCallsCalendar, CallsCalendarState } from "../../schema/api/mailResponses.ts";
import type { AccessGuard } from "../accounts/guard.ts";
import { getCalendarHost, createCalendarWriter } from "../shared/calendarFile.ts";
import { type Clock, getTimestamp } from "../shared/clock.ts";
import { notFound } from "../shared/errors.ts";
import { createParentFilter } from "../bin/listedItems.ts";
import { constantTimeEqual } from "../shared/secrets.ts";
import { DAY } from "../shared/time.ts";
import type { Store } from "../storage/store.ts";
import { createCalendarEntry, formatSubmissionSummary } from "./callMessages.ts";

interface CallsCalendarContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly guard: AccessGuard;
  /** Returns the site's public URL without a trailing slash, if configured. */
  readonly getSiteUrl: () => string | undefined;
}

const KEY_BYTES = 16;
/** Past calls stay in the feed for this time, so they don't disappear from calendars at once. */
const PAST_CALLS_MS = 30 * DAY;
/** The interval at which calendars should reload the feed; short, because a new call may begin within the hour. */
const REFRESH_INTERVAL_S = 900;

/** The feed's key is shown only once, and stops working when the user who created it is no longer an owner. */
export function createCallsCalendarRoutes(context: CallsCalendarContext) {
  const { store, clock, guard, getSiteUrl } = context;
  const document = store.of(entities.callsCalendar);
  const submissions = store.of(entities.formSubmissions);
  const readCalendar = () => {
    const { value } = document.read();
    return isOwner(store.of(entities.users).read().value, value.madeBy) ? value : NO_CALENDAR;
  };
  const readState = async (): Promise<CallsCalendarState> => ({
    isUsed: (await submissions.count({ callsUntil: { not: null } })) > 0,
    since: readCalendar().madeAt,
  });
  return new Elysia({ name: "calls-calendar" })
    .use(guard)
    .get("/calls.ics", async ({ request }) => {
      const key = new URL(request.url).searchParams.get("k") ?? "";
      const { keyHash } = readCalendar();
      if (keyHash === "" || !constantTimeEqual(hashKey(key), keyHash)) throw notFound();
      return new Response(await renderCalendar(store, getSiteUrl(), clock()), {
        headers: {
          "content-type": "text/calendar; charset=utf-8",
          "cache-control": "private, no-cache",
          "x-robots-tag": "noindex",
        },
      });
    })
    .get("/api/calls-calendar", readState, { owner: true })
    .post(
      "/api/calls-calendar",
      async ({ owner, logAudit }): Promise<CreatedCallsCalendar> => {
        const key = randomBytes(KEY_BYTES).toString("base64url");
        const madeAt = getTimestamp(clock);
        await document.update(() => ({ keyHash: hashKey(key), madeBy: owner.userId, madeAt }));
        logAudit("settings", "created the calendar link for calls");
        return { ...(await readState()), path: `/calls.ics?k=${key}` };
      },
      { owner: "reauthenticated" },
    )
    .delete(
      "/api/calls-calendar",
      async ({ logAudit }) => {
        await document.update(() => NO_CALENDAR);
        logAudit("settings", "turned off the calendar link for calls");
        return readState();
      },
      { owner: "reauthenticated" },
    );
}

const NO_CALENDAR = { keyHash: "", madeBy: "", madeAt: null };

const hashKey = (key: string) => new Bun.CryptoHasher("sha256").update(key).digest("hex");

async function renderCalendar(
  store: Store,
  siteUrl: string | undefined,
  now: number,
): Promise<string> {
  const write = await createCalendarWriter();
  const submissions = store.of(entities.formSubmissions);
  const callsUntil = { from: new Date(now - PAST_CALLS_MS).toISOString() };
  const where = { ...createParentFilter(store, entities.formSubmissions), callsUntil };
  const submissionsWithCalls = await Array.fromAsync(submissions.scan({ where }));
  const host = getCalendarHost(siteUrl, store.siteId);
  const entries = submissionsWithCalls.flatMap((submission) => {
    const { booked } = submission;
    if (!booked) return [];
    const summary = formatSubmissionSummary(store, submission);
    // Omits the phone number, because it is one of the visitor's answers. Other locations were written by the owner.
    const location = booked.where.how === "call" ? "" : booked.where.text;
    return createCalendarEntry(booked, { host, summary, location });
  });
  const name = `Calls, ${store.of(entities.site).read().value.name}`;
  return write(
    { name, product: "Calls", ttl: REFRESH_INTERVAL_S },
    entries.toSorted((one, other) => one.start.getTime() - other.start.getTime()),
  );
}
