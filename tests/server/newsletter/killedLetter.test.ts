/**
 * A letter whose program is killed while sending: nobody is missed, and nobody gets it twice except the one in
 * flight, with the same Message-ID (specification, section 4.20). `LETTER_RECIPIENTS=10000` makes it long.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { engineOf } from "../../../src/server/cli/openSite.ts";
import { readConfig } from "../../../src/server/shared/config.ts";
import { startMailServer } from "../../support/mailServer.ts";
import { freePort } from "../../support/ports.ts";
import {
  databaseOf,
  newSiteFolder,
  removeFolder,
  type SiteFolder,
  startProgram,
} from "../../support/program.ts";
import { UNLIMITED } from "../../support/siteInBrowser.ts";
import { subscriber } from "../../support/subscriber.ts";

const RECIPIENTS = Number(process.env["LETTER_RECIPIENTS"] ?? 20);
const KILLS = 2;

setDefaultTimeout(60_000 + RECIPIENTS * 500);

test("a newsletter interrupted by two kills reaches everybody, and doubles at most the messages in flight", async () => {
  const site = await newSiteFolder();
  const server = await startMailServer({ login: false, plain: true });
  const port = freePort();
  const env = {
    ...UNLIMITED,
    PORT: String(port),
    SITE_URL: `http://127.0.0.1:${port}`,
    MAIL_URL: `smtp://127.0.0.1:${server.port}`,
    MAIL_FROM: "Vera <site@example.com>",
  };
  const start = () => startProgram({ folder: site.folder, env });
  let program = await start();
  await program.asOwner("POST", "/api/letters/settings", { postalAddress: "12 Lamp Street" });
  await program.stop();
  await fill(site);
  program = await start();
  const words = { subject: "News", body: "<p>Hi {first name}</p>" };
  const { id } = await program.asOwner("POST", "/api/letters", words);
  await program.asOwner("POST", `/api/letters/${id}/test`, {});
  server.received.length = 0;
  const queuedAt = performance.now();
  await program.asOwner("POST", `/api/letters/${id}/send`, { audience: { kind: "all" } });
  await until(() => server.received.length > 0);
  const queued = performance.now() - queuedAt;
  const beganAt = performance.now();
  for (let kill = 1; kill <= KILLS; kill++) {
    await until(() => server.received.length >= (RECIPIENTS * kill) / (KILLS + 1));
    await program.stop("SIGKILL");
    program = await start();
  }
  const state = async () => (await program.asOwner("GET", `/api/letters/${id}`)).state;
  while ((await state()) !== "sent") await Bun.sleep(100);
  const seconds = (performance.now() - beganAt) / 1000;

  const messages = new Map<string, string[]>();
  // Messages to the owner about logins arrive too.
  const received = server.received.filter(({ to }) => to![0]!.address!.startsWith("person"));
  for (const { to, messageId } of received) {
    const address = to![0]!.address!;
    messages.set(address, [...(messages.get(address) ?? []), messageId!]);
  }
  const doubled = [...messages.values()].filter((ids) => ids.length > 1);
  console.log(
    `${RECIPIENTS} recipients: first message ${(queued / 1000).toFixed(1)} s after the call, all in ${seconds.toFixed(0)} s, ${KILLS} kills, ${doubled.length} doubled`,
  );
  expect(messages.size).toBe(RECIPIENTS);
  expect(doubled.length).toBeLessThanOrEqual(KILLS);
  for (const ids of doubled) expect(new Set(ids).size).toBe(1);
  expect(received.length).toBe(RECIPIENTS + doubled.length);
  expect(await program.asOwner("GET", `/api/letters/${id}`)).toMatchObject({
    total: RECIPIENTS,
    refused: 0,
  });
  await program.stop();
  await server.stop();
  await removeFolder(site);
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await Bun.sleep(5);
}

/** Puts subscribers into a data folder that no program has open. */
async function fill(site: SiteFolder): Promise<void> {
  const { config } = readConfig([], { DATA_DIR: site.dataDir, ...databaseOf(site) });
  const store = await engineOf(config).open({ entities: allEntities, log: () => {} });
  const people = store.of(entities.emailSubscriptions);
  for (let at = 0; at < RECIPIENTS; at += 200)
    // oxlint-disable-next-line no-await-in-loop -- so many share a write
    await Promise.all(
      Array.from({ length: Math.min(200, RECIPIENTS - at) }, (_, n) =>
        people.insert(subscriber(`person${at + n}@example.com`)),
      ),
    );
  await store.close();
}
