/**
 * A letter whose program is killed while sending: nobody is missed, and nobody gets it twice except the one in
 * flight, with the same Message-ID (specification, section 4.20). `LETTER_RECIPIENTS=10000` makes it long.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { createEngine } from "../../../src/server/cli/openSite.ts";
import { readConfig } from "../../../src/server/shared/config.ts";
import { startMailServer } from "../../support/mailServer.ts";
import { findFreePort } from "../../support/ports.ts";
import {
  createDatabaseEnv,
  createSiteFolder,
  removeSiteFolder,
  type SiteFolder,
  startProgram,
} from "../../support/program.ts";
import { UNLIMITED } from "../../support/browserSite.ts";
import { createSubscriber } from "../../support/subscribers.ts";

const RECIPIENT_COUNT = Number(process.env["LETTER_RECIPIENTS"] ?? 20);
const KILL_COUNT = 2;

setDefaultTimeout(60_000 + RECIPIENT_COUNT * 500);

test("a newsletter interrupted by two kills reaches everybody, and only messages in flight may arrive twice", async () => {
  const site = await createSiteFolder();
  const server = await startMailServer({ hasLogin: false, isPlain: true });
  const port = findFreePort();
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
  await fillSite(site);
  program = await start();
  const words = { subject: "News", body: "<p>Hi {first name}</p>" };
  const { id } = await program.asOwner("POST", "/api/letters", words);
  await program.asOwner("POST", `/api/letters/${id}/test`, {});
  server.received.length = 0;
  const queuedAt = performance.now();
  await program.asOwner("POST", `/api/letters/${id}/send`, { audience: { kind: "all" } });
  await waitUntil(() => server.received.length > 0);
  const queued = performance.now() - queuedAt;
  const beganAt = performance.now();
  for (let kill = 1; kill <= KILL_COUNT; kill++) {
    await waitUntil(() => server.received.length >= (RECIPIENT_COUNT * kill) / (KILL_COUNT + 1));
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
    `${RECIPIENT_COUNT} recipients: first message ${(queued / 1000).toFixed(1)} s after the call, all in ${seconds.toFixed(0)} s, ${KILL_COUNT} kills, ${doubled.length} doubled`,
  );
  expect(messages.size).toBe(RECIPIENT_COUNT);
  expect(doubled.length).toBeLessThanOrEqual(KILL_COUNT);
  for (const ids of doubled) expect(new Set(ids).size).toBe(1);
  expect(received.length).toBe(RECIPIENT_COUNT + doubled.length);
  expect(await program.asOwner("GET", `/api/letters/${id}`)).toMatchObject({
    total: RECIPIENT_COUNT,
    refused: 0,
  });
  await program.stop();
  await server.stop();
  await removeSiteFolder(site);
});

async function waitUntil(holds: () => boolean): Promise<void> {
  while (!holds()) await Bun.sleep(5);
}

/** Puts subscribers into a data folder that no program has open. */
async function fillSite(site: SiteFolder): Promise<void> {
  const { config } = readConfig([], { DATA_DIR: site.dataDir, ...createDatabaseEnv(site) });
  const store = await createEngine(config).open({ entities: allEntities, log: () => {} });
  const people = store.of(entities.emailSubscriptions);
  for (let at = 0; at < RECIPIENT_COUNT; at += 200)
    // oxlint-disable-next-line no-await-in-loop -- so many share a write
    await Promise.all(
      Array.from({ length: Math.min(200, RECIPIENT_COUNT - at) }, (_, n) =>
        people.insert(createSubscriber(`person${at + n}@example.com`)),
      ),
    );
  await store.close();
}
