/**
 * The cost of a letter: `bun bench/letters.ts` sends a letter to 3,000 people (PEOPLE sets another number) as fast
 * as possible, through a mail server in its own process, and prints the processor time for each message.
 */
import { rm } from "node:fs/promises";
import { getInitialValues } from "../src/schema/entities/check.ts";
import { allEntities, entities, type Item } from "../src/schema/index.ts";
import { openNewsletter } from "../src/server/newsletter/openNewsletter.ts";
import { createPasswordLinks } from "../src/server/accounts/passwordReset.ts";
import { openMessaging } from "../src/server/messaging.ts";
import { readConfig } from "../src/server/shared/config.ts";
import { Bin } from "../src/server/bin/bin.ts";
import { openStore } from "../src/server/storage/files/openStore.ts";
import { formatCost, startMailProcess, measureWaits } from "./mailLoad.ts";
import { createTemporaryFolder, printFigure } from "./measure.ts";

const PEOPLE = Number(process.env["PEOPLE"] ?? 3000);
const LETTER_TEXTS = {
  subject: "News for {first name}",
  body: `<p>Hi {first name},</p>${`<p>${"words and more <b>words</b> ".repeat(12)}</p>`.repeat(8)}`,
  buttonText: "Keep me a seat",
  buttonLink: "/coaching",
};

const log = () => {};

const mailServer = await startMailProcess();
const directory = await createTemporaryFolder();
const store = await openStore({ directory, entities: allEntities, log });
const { config } = readConfig([], {
  DATA_DIR: directory,
  SITE_URL: "https://vera.example",
  MAIL_URL: mailServer.url,
  MAIL_FROM: "Vera <site@example.com>",
});
await addPeople();
const letters = store.of(entities.letters);
const id = Bun.randomUUIDv7();
const blank = getInitialValues(entities.letters.fields) as Item<"letters">;
const sendAt = new Date().toISOString();
await letters.insert({ ...blank, ...LETTER_TEXTS, id, state: "scheduled", sendAt });

const startedAt = performance.now();
const bin = new Bin(store, Date.now);
const passwordLinks = createPasswordLinks(store, await store.readSecret(), Date.now);
const mail = await openMessaging({ store, config, clock: Date.now, log, passwordLinks });
await openNewsletter({ store, bin, clock: Date.now, log, mail });
const formatWaits = measureWaits();
const countSent = () => store.of(entities.letterProgress).read().value[0]?.sent ?? 0;
while (countSent() === 0) await Bun.sleep(5); // oxlint-disable-line no-await-in-loop
const firstMessageMs = performance.now() - startedAt;
printFigure(
  `a letter to ${PEOPLE}: the first message`,
  `after ${firstMessageMs.toFixed(0)} ms; meanwhile all else waited ${formatWaits()}`,
);
const formatSendingWaits = measureWaits();
const [sentBefore, since] = [countSent(), { cpu: process.cpuUsage(), at: performance.now() }];
while ((await letters.get(id))?.state !== "sent") await Bun.sleep(100); // oxlint-disable-line no-await-in-loop
printFigure(
  "its messages",
  `${formatCost(PEOPLE - sentBefore, since)}; all else waited ${formatSendingWaits()}`,
);
mailServer.kill();
await rm(directory, { recursive: true, force: true });
process.exit(0);

async function addPeople(): Promise<void> {
  const people = store.of(entities.emailSubscriptions);
  for (let first = 0; first < PEOPLE; first += 200)
    // oxlint-disable-next-line no-await-in-loop -- so many share a write
    await Promise.all(
      Array.from({ length: Math.min(200, PEOPLE - first) }, (_, offset) =>
        people.insert({
          ...getInitialValues(entities.emailSubscriptions.fields),
          id: Bun.randomUUIDv7(),
          email: `person${first + offset}@example.com`,
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
