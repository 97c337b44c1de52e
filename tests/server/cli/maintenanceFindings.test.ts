/** The doctor says of a site what monitors are told, whether it is running or not. */
import { afterEach, beforeEach, expect, setSystemTime, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { engineOf } from "../../../src/server/cli/openSite.ts";
import { upkeepFindings } from "../../../src/server/cli/maintenanceFindings.ts";
import { Outbox } from "../../../src/server/mail/queue/outbox.ts";
import { readConfig } from "../../../src/server/shared/config.ts";
import { newSiteFolder, removeFolder, type SiteFolder } from "../../support/program.ts";
import { selfSigned } from "../../support/certificate.ts";

const DAY = 24 * 60 * 60 * 1000;
let site: SiteFolder;
beforeEach(async () => void (site = await newSiteFolder()));
afterEach(() => {
  setSystemTime();
  return removeFolder(site);
});

const configOf = (env: Record<string, string> = {}) =>
  readConfig([], { DATA_DIR: site.dataDir, UPLOADS_DIR: site.uploadsDir, ...env }).config;
const open = () => engineOf(configOf()).open({ entities: allEntities });
const found = async (env: Record<string, string> = {}) => {
  const config = configOf(env);
  const findings = await upkeepFindings(engineOf(config), config);
  expect(findings.every(({ ok }) => !ok)).toBe(true);
  return findings.map(({ message }) => message);
};

test("nothing is reported about a healthy or missing site", async () => {
  expect(await found()).toEqual([]);
  await (await open()).close();
  expect(await found()).toEqual([]);
});

test("an old backup is reported with the failure", async () => {
  const store = await open();
  const short = store.siteId.slice(0, 8);
  await store.close();
  const { backupDir } = configOf();
  await mkdir(backupDir);
  const id = new Date(Date.now() - 4 * DAY).toISOString().replace(/[:.]/g, "-");
  await writeFile(join(backupDir, `limelight-${short}-${id}.tar.gz`), "");
  expect(await found()).toEqual([expect.stringMatching(/^No backup for 4 days\. /)]);
  expect(await found({ BACKUP_EVERY: "off" })).toEqual([]);
});

test("mail that couldn't be sent for more than an hour is reported with the reason", async () => {
  const store = await open();
  const clock = () => Date.now() - 2 * 60 * 60 * 1000;
  const outbox = new Outbox({ store, clock, domain: () => "example.com", log: () => {} });
  const { id } = await outbox.add({
    kind: "thanks",
    to: "ben@example.com",
    subject: "Thank you",
    text: "Thank you",
    html: "",
  });
  await store.purgeOldVersions();
  expect(await found()).toEqual([]);
  const problem = "The server doesn't answer.";
  await store.of(entities.outbox).update(id, (stored) => ({ ...stored, problem }));
  await outbox.stop();
  await store.close();
  expect(await found()).toEqual([
    `1 message has been waiting for more than an hour. The last one: ${problem}`,
  ]);
});

test("a certificate that was not renewed is reported", async () => {
  await (await open()).close();
  const folder = join(site.folder, "certificates");
  await mkdir(folder);
  const kept = await selfSigned(60, "www.example.com");
  await writeFile(join(folder, "certificate.json"), JSON.stringify(kept));
  const env = { DOMAIN: "www.example.com", CERTIFICATES_DIR: folder };
  expect(await found(env)).toEqual([]);
  setSystemTime(Date.now() + 55 * DAY);
  expect(await found(env)).toEqual([
    expect.stringMatching(
      /^The certificate for www\.example\.com expires on \d{4}-.* wasn't renewed/,
    ),
  ]);
});
