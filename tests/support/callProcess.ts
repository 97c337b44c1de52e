/**
 * A process in which visitors choose suggested times, one after the other, until it is killed. At its start it checks
 * that every stored call has its messages, and every message its call. `bun callProcess.ts <data folder>`
 */
import { getInitialValues } from "../../src/schema/entities/check.ts";
import { allEntities, entities, type Item } from "../../src/schema/index.ts";
import { readConfig } from "../../src/server/shared/config.ts";
import { withLastCallEnd } from "../../src/server/shared/callTimes.ts";
import { openStore } from "../../src/server/storage/files/openStore.ts";
import { openMail } from "./openMail.ts";

const [directory = ""] = process.argv.slice(2);
const store = await openStore({ directory, entities: allEntities, log: () => {} });
const { config } = readConfig([], { DATA_DIR: directory });
const { calls } = await openMail({ store, config }, { isSending: false });
const submissions = store.of(entities.formSubmissions);
const outbox = store.of(entities.outbox);

await store.of(entities.mailSettings).update((value) => ({ ...value, notifyTo: "o@example.com" }));
await store
  .of(entities.forms)
  .update(() => [{ ...(getInitialValues(entities.forms.fields) as Item<"forms">), id: "form" }]);

process.stdout.write(`${JSON.stringify(await readState())}\n`);
await submissions.deleteWhere({});
await outbox.deleteWhere({});
process.stdout.write("ready\n");
for (let hour = 1; ; hour++) {
  const { id, reply } = await createOfferedEnquiry(hour); // oxlint-disable-line no-await-in-loop
  const link = { submission: id, reply };
  // oxlint-disable-next-line no-await-in-loop
  await Promise.all([
    calls.bookings.chooseTime(link, 0),
    calls.bookings.chooseTime(link, 1),
    calls.bookings.chooseTime(link, 0),
  ]);
  if (hour === 1) process.stdout.write("booked\n");
}

/** Reads the state that the last process left. */
async function readState() {
  const all = await Array.fromAsync(submissions.scan());
  const booked = all.filter((each) => each.booked !== null);
  const queued = (await outbox.readKeys({ kind: "call" })).map(({ about }) => about);
  const expected = booked.flatMap(({ booked: call }) => [
    `call ${call!.id}`,
    `call ${call!.id} 0 booked`,
  ]);
  const incomplete = booked.filter(
    ({ stage, replies }) => stage !== "booked" || replies[0]!.ended !== "chosen",
  );
  return {
    booked: booked.length,
    missing: expected.filter((about) => queued.filter((each) => each === about).length !== 1),
    unfounded: queued.filter((about) => !expected.includes(about ?? "")),
    halves: incomplete.map(({ id }) => id),
  };
}

/** Creates an enquiry with two suggested times. */
async function createOfferedEnquiry(hour: number) {
  const [id, reply] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];
  const now = new Date().toISOString();
  const offers = [0, 1].map((at) => ({
    at: `20${50 + (hour % 40)}-03-${10 + at}T10:00`,
    zone: "Europe/London",
    minutes: 30,
    where: { how: "call" as const, text: "" },
  }));
  const replyFields = {
    id: reply,
    at: now,
    by: "Ada",
    to: "a@example.com",
    subject: "A",
    text: "B",
  };
  const initial = getInitialValues(entities.formSubmissions.fields) as Item<"formSubmissions">;
  const made = { ...initial, id, formId: "form", replies: [{ ...replyFields, offers }] };
  await submissions.insert(withLastCallEnd(made));
  return { id, reply };
}
