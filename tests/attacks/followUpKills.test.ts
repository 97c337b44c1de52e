/**
 * Kills the built program again and again around eight in the morning, when it sends reminders: as two instances on
 * one database and as one on files, also on the days on which the clocks change (specification, section 4.18). Each
 * reminder is stored once; one that was in flight may arrive once more for each kill, as the same message.
 * `FOLLOW_UP_KILLS=50 bun test tests/attacks/followUpKills.test.ts` runs longer.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MailState } from "../../src/schema/api/mailResponses.ts";
import { canSetClock, createClockEnv, setClockOffset } from "../support/fakeClock.ts";
import { startMailServer } from "../support/mailServer.ts";
import { makeForm } from "../support/enquiryForm.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { type ProgramSite, startProgram } from "../support/program.ts";
import { startPushService } from "../support/pushService.ts";
import { waitForValue } from "../support/waits.ts";

const ROUNDS = Number(process.env["FOLLOW_UP_KILLS"] ?? 1);

setDefaultTimeout(120_000 + ROUNDS * 60_000);

const ZONE = "Europe/Berlin";
/** Clocks go forward in the night before the first day, and back in the night before the second. */
const MORNINGS = [Temporal.PlainDate.from("2027-03-28"), Temporal.PlainDate.from("2027-10-31")];
const REMINDER = "1 reminder due";
const SECOND_MS = 1000;
/** When the kills begin and end, in milliseconds from eight o'clock. */
const [FIRST_KILL_MS, LAST_KILL_MS] = [-3 * SECOND_MS, 4 * SECOND_MS];
/** The time from an acknowledgement until it is stored, in milliseconds. */
const MAX_IN_FLIGHT = 12;

/** A place in which one process is started after the other. */
interface Instance {
  child?: Bun.Subprocess;
  site?: ProgramSite | undefined;
}

async function simulateMornings(count: number, databaseUrl?: string) {
  const folder = await mkdtemp(join(tmpdir(), "limelight-mornings-"));
  const instances: Instance[] = Array.from({ length: count }, () => ({}));
  const mail = await startMailServer({ hasLogin: false, isPlain: true });
  const devices = startPushService();
  let ahead = 0;
  const over = new AbortController();
  const now = () => Date.now() + ahead;
  const env = {
    RATE_LIMIT: "off",
    PRIVATE_CALLS: "on",
    MAIL_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: "Vera <site@example.com>",
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    ...createClockEnv(folder),
  };

  async function goTo(instant: number): Promise<void> {
    ahead = instant - Date.now();
    await setClockOffset(folder, `${ahead < 0 ? "" : "+"}${ahead / SECOND_MS}`);
  }

  /** Restarts whatever ends, like a service manager. */
  async function superviseInstance(instance: Instance, instanceFolder: string): Promise<void> {
    await mkdir(instanceFolder, { recursive: true });
    /* oxlint-disable no-await-in-loop -- one after the other */
    while (!over.signal.aborted) {
      const onSpawn = (child: Bun.Subprocess) => void (instance.child = child);
      instance.site = await startProgram({ env, folder: instanceFolder, onSpawn }).catch(
        (error: Error) => {
          if (!error.message.includes("ended with SIGKILL")) console.error(error.message);
          return undefined;
        },
      );
      await instance.child?.exited;
      instance.site = undefined;
    }
    /* oxlint-enable no-await-in-loop */
  }

  const countRunning = () => instances.filter(({ site }) => site !== undefined).length;
  const allWell = () => waitForValue(countRunning, count);

  /** A run through one morning; returns what was stored, what arrived, and how often a process was killed. */
  async function morning(day: Temporal.PlainDate) {
    const eight = day.toZonedDateTime({ timeZone: ZONE, plainTime: "08:00" }).epochMilliseconds;
    await goTo(eight - 1800 * SECOND_MS);
    await allWell();
    const path = `/api/form-submissions/${enquiry}/progress`;
    const owner = await instances[0]!.site!.logInAsOwner();
    expect((await owner.put(path, { remindOn: day.toString() })).status).toBe(200);
    mail.received.length = 0;
    devices.received.length = 0;
    const early: number[] = [];
    let kills = 0;
    const kill = (which: readonly Instance[]) => {
      for (const { child } of which) {
        if (!child || child.signalCode !== null || child.exitCode !== null) continue;
        child.kill("SIGKILL");
        kills++;
      }
    };
    /** Kills the instances once, right after a reminder arrived; `title` returns the title of the last message. */
    const inFlight = (title: () => string | undefined) => {
      let isArmed = Math.random() < 0.7;
      return () => {
        if (!title()?.startsWith(REMINDER)) return;
        if (now() < eight) early.push(now() - eight);
        if (isArmed) setTimeout(() => kill(instances), Math.random() * MAX_IN_FLIGHT);
        isArmed = false;
      };
    };
    mail.whenReceived(inFlight(() => mail.received.at(-1)?.subject));
    devices.whenReceived(inFlight(() => devices.received.at(-1)?.notification.title));
    await goTo(eight + FIRST_KILL_MS);
    /* oxlint-disable no-await-in-loop -- one after the other */
    while (now() < eight + LAST_KILL_MS) {
      await Bun.sleep(Math.random() * 2 * SECOND_MS);
      kill(instances.filter(() => Math.random() < 0.6));
    }
    /* oxlint-enable no-await-in-loop */
    // The processes that start now check for due reminders.
    kill(instances);
    await waitForValue(
      async () => listStates(await stored(eight)),
      ["mail sent", "push sent"],
      () => Bun.file(join(folder, "0", "log")).text(),
    );
    mail.whenReceived(undefined);
    devices.whenReceived(undefined);
    await allWell();
    const last = await instances[0]!.site!.logInAsOwner();
    expect((await last.put(path, { remindOn: null })).status).toBe(200);
    const messages = mail.received.filter(({ subject }) => subject?.startsWith(REMINDER));
    const pushes = devices.received.filter(({ notification }) => notification.title === REMINDER);
    return {
      day: day.toString(),
      kills,
      early,
      stored: listStates(await stored(eight)),
      messages: messages.length,
      ids: new Set(messages.map(({ messageId }) => messageId)).size,
      pushes: pushes.length,
      tags: new Set(pushes.map(({ notification }) => notification.tag)).size,
    };
  }

  /** The messages queued since a point in time. */
  async function stored(since: number) {
    const site = instances.find((each) => each.site)?.site;
    const owner = await site?.logInAsOwner().catch(() => undefined);
    const { body } = (await owner?.get("/api/mail").catch(() => undefined)) ?? {};
    const all = (body as MailState | undefined)?.messages ?? [];
    return all.filter(
      ({ subject, createdAt }) =>
        subject.startsWith(REMINDER) && Date.parse(createdAt ?? "") >= since,
    );
  }

  await goTo(
    MORNINGS[0]!.subtract({ days: 1 }).toZonedDateTime({ timeZone: ZONE, plainTime: "12:00" })
      .epochMilliseconds,
  );
  const [first, ...others] = instances as [Instance, ...Instance[]];
  const supervised = [superviseInstance(first, join(folder, "0"))];
  await waitForValue(countRunning, 1);
  supervised.push(
    ...others.map((instance, at) => superviseInstance(instance, join(folder, String(at + 1)))),
  );
  await allWell();
  const { asOwner, visitor } = first.site!;
  await asOwner("POST", "/api/site", { timeZone: ZONE });
  const { formId, ids } = await makeForm(first.site!, "Coaching", [["text", "Name"]]);
  const answers = { formId, data: { [ids[0]!]: "Ann Example" } };
  const enquiry: string = (await visitor().post("/api/form-submissions", answers)).body.id;
  await asOwner("POST", "/api/push", devices.subscription);
  await waitForValue(() => devices.received.length, 1);

  return {
    morning,
    async stop() {
      over.abort();
      for (const { child } of instances) child?.kill("SIGKILL");
      await Promise.all(supervised);
      await Promise.all([mail.stop(), devices.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type StoredMessages = MailState["messages"];

/** In a fixed order, since either message may be sent first. */
const listStates = (stored: StoredMessages) =>
  stored.map(({ kind, state }) => `${kind === "push" ? "push" : "mail"} ${state}`).toSorted();

/** `first`: the morning of the first round. */
function testPromises(
  name: string,
  open: () => ReturnType<typeof simulateMornings>,
  { isAvailable, first }: { isAvailable: boolean; first: number },
) {
  describe.if(canSetClock && isAvailable)(name, () => {
    let site: Awaited<ReturnType<typeof simulateMornings>>;
    beforeAll(async () => void (site = await open()));
    afterAll(() => site.stop());

    test("are sent at eight, and a repeat after a kill has the same id", async () => {
      // In order of time, alternating between the days on which clocks go forward and back.
      const days = Array.from({ length: ROUNDS }, (_, round) =>
        MORNINGS[(round + first) % 2]!.add({ days: Math.floor(round / 2) }),
      ).toSorted(Temporal.PlainDate.compare);
      const all: Awaited<ReturnType<typeof site.morning>>[] = [];
      for (const day of days) all.push(await site.morning(day)); // oxlint-disable-line no-await-in-loop -- one after the other
      for (const each of all) {
        const { day, kills, messages, pushes } = each;
        expect([day, each.early, each.stored]).toEqual([day, [], ["mail sent", "push sent"]]);
        // However often a message arrived, it had one id.
        expect([day, each.ids, each.tags]).toEqual([day, 1, 1]);
        for (const times of [messages, pushes]) {
          expect(times).toBeGreaterThan(0);
          expect(times).toBeLessThanOrEqual(1 + kills);
        }
      }
      expect(all.reduce((sum, { kills }) => sum + kills, 0)).toBeGreaterThan(ROUNDS);
      if (process.env["FOLLOW_UP_KILLS"]) console.log(formatTable(name, all));
    });
  });
}

function formatTable(
  name: string,
  all: readonly { kills: number; messages: number; pushes: number }[],
) {
  const sum = (key: "kills" | "messages" | "pushes") =>
    all.reduce((total, each) => total + each[key], 0);
  const most = (key: "messages" | "pushes") => Math.max(...all.map((each) => each[key]));
  return `${name}: ${all.length} mornings, ${sum("kills")} kills; stored once each, arrived ${sum("messages")} messages (at most ${most("messages")} a morning) and ${sum("pushes")} pushes (at most ${most("pushes")})`;
}

let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined;
afterAll(() => postgres?.remove());

testPromises(
  "reminders of a site on two instances",
  async () => {
    postgres = await startPostgres({ isDurable: true });
    return simulateMornings(2, postgres.createUrl());
  },
  { isAvailable: hasPostgres, first: 0 },
);
testPromises("reminders of one site", () => simulateMornings(1), { isAvailable: true, first: 1 });
