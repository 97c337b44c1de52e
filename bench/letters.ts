/**
 * What a letter costs: `bun bench/letters.ts` sends one to 3,000 people (PEOPLE) as fast as it goes, to a mail server
 * in a process of its own, and says how much processor time each message took.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { initialValues } from "../src/schema/check.ts";
import { allEntities, entities, type Item } from "../src/schema/index.ts";
import { NEVER_WRITTEN_TO } from "../src/schema/visitors.ts";
import { openLetters } from "../src/server/letters/letters.ts";
import { framed } from "../src/server/mail/frame.tsx";
import { openMail } from "../src/server/mail/mail.ts";
import { readConfig } from "../src/server/shared/config.ts";
import { openBin } from "../src/server/storage/bin.ts";
import { openStore } from "../src/server/storage/openStore.ts";
import type { Store } from "../src/server/storage/store.ts";
import { startMailServer } from "../tests/support/mailServer.ts";

const PEOPLE = Number(process.env["PEOPLE"] ?? 3000);
const WORDS = {
  subject: "News for {first name}",
  body: `<p>Hi {first name},</p>${`<p>${"words and more <b>words</b> ".repeat(12)}</p>`.repeat(8)}`,
  buttonText: "Keep me a seat",
  buttonLink: "/coaching",
};

const log = () => {};

if (process.argv[2] === "server") {
  const server = await startMailServer({ login: false, plain: true });
  process.stdout.write(`${server.port}\n`);
} else await measure();

async function measure(): Promise<void> {
  const mailServer = Bun.spawn([process.execPath, import.meta.path, "server"], { stdout: "pipe" });
  const { value } = await mailServer.stdout.getReader().read();
  const directory = await mkdtemp(join(tmpdir(), "limelight-bench-"));
  const store = await openStore({ directory, entities: allEntities, log });
  const { config } = readConfig([], {
    DATA_DIR: directory,
    SITE_URL: "https://vera.example",
    MAIL_URL: `smtp://127.0.0.1:${new TextDecoder().decode(value).trim()}`,
    MAIL_FROM: "Vera <site@example.com>",
  });
  await addPeople(store);
  const letters = store.of(entities.letters);
  const id = Bun.randomUUIDv7();
  const blank = initialValues(entities.letters.fields) as Item<"letters">;
  const sendAt = new Date().toISOString();
  await letters.insert({ ...blank, ...WORDS, id, state: "scheduled", sendAt });

  const began = performance.now();
  const bin = openBin(store, Date.now);
  const mail = await openMail({ store, config, clock: Date.now, log });
  await openLetters({ store, bin, clock: Date.now, log, mail, framed });
  const waited = delays();
  const sent = () => store.of(entities.letterProgress).read().value[0]?.sent ?? 0;
  while (sent() === 0) await Bun.sleep(5); // oxlint-disable-line no-await-in-loop
  const first = performance.now() - began;
  say(
    `${PEOPLE} recipients, the first message after ${first.toFixed(0)} ms; meanwhile all else waited ${told(waited())}`,
  );
  const since = delays();
  const [from, at, cpu] = [sent(), performance.now(), process.cpuUsage()];
  while ((await letters.get(id))?.state !== "sent") await Bun.sleep(100); // oxlint-disable-line no-await-in-loop
  const { user, system } = process.cpuUsage(cpu);
  const during = since();
  const [count, seconds] = [PEOPLE - from, (performance.now() - at) / 1000];
  const each = (micros: number) => micros / 1000 / count;
  say(
    `${(count / seconds).toFixed(0)} a second; each ${each(user + system).toFixed(2)} ms of processor time (${each(system).toFixed(2)} of it the system's), ${(each(user + system) * 5).toFixed(0)} % of a core at 50 a second; all else waited ${told(during)}`,
  );
  mailServer.kill();
  await rm(directory, { recursive: true, force: true });
  process.exit(0);
}

/**
 * For how long nothing else got its turn, as a page would wait; sorted, in milliseconds. What the process itself
 * worked meanwhile is the most that counts: on a busy machine a timer is late because of others, too.
 */
function delays(): () => number[] {
  const late: number[] = [];
  let last = performance.now();
  let worked = process.cpuUsage();
  const timer = setInterval(() => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(worked);
    late.push(Math.max(0, Math.min(now - last - 2, (user + system) / 1000)));
    last = now;
    worked = process.cpuUsage();
  }, 2);
  return () => {
    clearInterval(timer);
    return late.toSorted((one, other) => one - other);
  };
}

function told(late: readonly number[]): string {
  const most = late[Math.floor(late.length * 0.99)] ?? 0;
  return `at most ${late.at(-1)?.toFixed(0)} ms, 99 of 100 times under ${most.toFixed(0)}`;
}

async function addPeople(store: Store): Promise<void> {
  const people = store.of(entities.emailSubscriptions);
  for (let at = 0; at < PEOPLE; at += 200)
    // oxlint-disable-next-line no-await-in-loop -- so many share a write
    await Promise.all(
      Array.from({ length: Math.min(200, PEOPLE - at) }, (_, n) =>
        people.insert({
          ...NEVER_WRITTEN_TO,
          written: [],
          id: Bun.randomUUIDv7(),
          email: `person${at + n}@example.com`,
          name: "Ann",
          status: "active",
          source: "website",
          subscribedAt: "2026-11-20T10:00:00.000Z",
          ipAddress: null,
          userAgent: null,
        }),
      ),
    );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
