/** An owner's calls as a calendar feed: person, form, time and kind of meeting, but no answers. */
import { randomBytes } from "node:crypto";
import { Elysia } from "elysia";
import { entities } from "../../schema/index.ts";
import { isOwner } from "../../schema/core/roles.ts";
import type { CreatedCallsCalendar, CallsCalendarState } from "../../schema/api/mailResponses.ts";
import type { AccessGuard, Reauthentication } from "../accounts/guard.ts";
import { calendarHost, createCalendarWriter } from "../shared/calendarFile.ts";
import { callStart } from "../shared/callTimes.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import { notFound } from "../shared/errors.ts";
import { createParentFilter } from "../bin/listedItems.ts";
import { constantTimeEqual } from "../shared/constantTimeEqual.ts";
import { DAY } from "../shared/time.ts";
import type { Store } from "../storage/store.ts";
import { createCallEntry } from "./callEntry.ts";
import { submissionSummary } from "./callMessages.ts";

interface CallsCalendarContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly guard: AccessGuard;
  readonly proof: Reauthentication;
  /** The public address without a trailing slash, if configured. */
  readonly getSiteUrl: () => string | undefined;
}

/** 128 bits. */
const KEY_BYTES = 16;
/** The time for which past calls stay in the feed, so that calendars don't drop them. */
const PAST_CALLS_MS = 30 * DAY;
/** The interval at which calendars refresh, in seconds: a call may be within the hour. */
const REFRESH_INTERVAL_S = 900;

/**
 * GET `/calls.ics?k=` returns the calendar for its key. `/api/calls-calendar` returns whether the owner has one; POST
 * makes a key in place of the last one and shows it once, DELETE revokes it. Both need a proof, since the feed has
 * names in it. A key stops working when its maker is no longer an owner.
 */
export function callsCalendarRoutes({
  store,
  clock,
  guard,
  proof,
  getSiteUrl,
}: CallsCalendarContext) {
  const document = store.of(entities.callsCalendar);
  const submissions = store.of(entities.formSubmissions);
  const present = () => {
    const { value } = document.read();
    return isOwner(store.of(entities.users).read().value, value.madeBy) ? value : NO_CALENDAR;
  };
  const state = async (): Promise<CallsCalendarState> => ({
    isUsed: (await submissions.count({ callsUntil: { not: null } })) > 0,
    since: present().madeAt,
  });
  return new Elysia({ name: "calls-calendar" })
    .use(guard)
    .get("/calls.ics", async ({ request }) => {
      const key = new URL(request.url).searchParams.get("k") ?? "";
      const { keyHash } = present();
      if (keyHash === "" || !constantTimeEqual(hashKey(key), keyHash)) throw notFound();
      return new Response(await renderCalendar(store, getSiteUrl(), clock()), {
        headers: {
          "content-type": "text/calendar; charset=utf-8",
          "cache-control": "private, no-cache",
          "x-robots-tag": "noindex",
        },
      });
    })
    .get("/api/calls-calendar", state, { owner: true })
    .post(
      "/api/calls-calendar",
      async ({ owner, happened }): Promise<CreatedCallsCalendar> => {
        proof.require(owner);
        const key = randomBytes(KEY_BYTES).toString("base64url");
        const madeAt = isoTime(clock);
        await document.update(() => ({ keyHash: hashKey(key), madeBy: owner.userId, madeAt }));
        happened("settings", "created the calendar link for calls");
        return { ...(await state()), path: `/calls.ics?k=${key}` };
      },
      { owner: true },
    )
    .delete(
      "/api/calls-calendar",
      async ({ owner, happened }) => {
        proof.require(owner);
        await document.update(() => NO_CALENDAR);
        happened("settings", "turned off the calendar link for calls");
        return state();
      },
      { owner: true },
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
  const from = new Date(now - PAST_CALLS_MS).toISOString();
  const keys = await submissions.keys({
    ...createParentFilter(store, entities.formSubmissions),
    callsUntil: { from },
  });
  const submissionsWithCalls = await Promise.all(keys.map(({ id }) => submissions.get(id)));
  const host = calendarHost(siteUrl, store.siteId);
  const entries = submissionsWithCalls.flatMap((submission) => {
    const { booked } = submission ?? {};
    if (!submission || !booked) return [];
    const { how, text } = booked.where;
    // A phone number is one of the answers; a link or a place is the owner's.
    const location = how === "call" ? "" : text;
    return [
      {
        booked,
        entry: createCallEntry(booked, {
          host,
          summary: submissionSummary(store, submission),
          location,
        }),
      },
    ];
  });
  const inOrder = entries.toSorted((one, other) => callStart(one.booked) - callStart(other.booked));
  const name = `Calls, ${store.of(entities.site).read().value.name}`;
  return write(
    { name, product: "Calls", ttl: REFRESH_INTERVAL_S },
    inOrder.map(({ entry }) => entry),
  );
}
