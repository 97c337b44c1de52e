/**
 * A process with a site's outbox. It adds messages and sends those that wait, until it is killed or none is left. `bun
 * outboxProcess.ts <data folder> <port> <number of messages> <whether it runs to its end: yes or no>`
 */
import { allEntities, entities } from "../../src/schema/index.ts";
import { readConfig } from "../../src/server/shared/config.ts";
import { openStore } from "../../src/server/storage/files/openStore.ts";
import { openMail } from "./openMail.ts";

const [directory, port, count, shouldFinish] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
];
const store = await openStore({ directory, entities: allEntities, log: () => {} });
const { config } = readConfig([], {
  DATA_DIR: directory,
  MAIL_URL: `smtp://127.0.0.1:${port}`,
  MAIL_FROM: "Vera <site@example.com>",
});
const mail = await openMail({ store, config });
const message = { kind: "enquiry", subject: "Words", text: "words", html: "<p>words</p>" } as const;
await Promise.all(
  Array.from({ length: Number(count) }, (_, at) =>
    mail.outbox.add({ ...message, to: `v${at}@example.com` }),
  ),
);
process.stdout.write("added\n");
const countWaiting = async () =>
  (await store.of(entities.outbox).readKeys({ state: "waiting" })).length;
if (shouldFinish === "yes") {
  while ((await countWaiting()) > 0) await Bun.sleep(20); // oxlint-disable-line no-await-in-loop
  const { items } = await mail.outbox.listPage({ offset: 0, limit: 1_000_000 });
  process.stdout.write(`${JSON.stringify(items.map(({ messageId }) => messageId))}\n`);
  await mail.stop();
  await store.close();
  process.exit(0);
}
