/**
 * The problems that monitors see (specification, section 7.5), found from outside by the doctor, whether the site is
 * running or not.
 */
import { existsSync } from "node:fs";
import { entities } from "../../schema/index.ts";
import { shortIdOf, backupsIn } from "../backup/kept/backupFolder.ts";
import { readCatalog } from "../backup/kept/catalog.ts";
import { stateOf } from "../backup/kept/state.ts";
import type { Config } from "../shared/config.ts";
import { dataKeyOf } from "../shared/dataKey.ts";
import type { Engine, Finding } from "../storage/engine.ts";
import { diskNotices } from "../upkeep/limitNotices.ts";
import { certificateStore, readCertificate, validityOf } from "./https/certificateStore.ts";
import { dueIn } from "./https/renewal.ts";
import { zoneIn } from "../shared/siteZone.ts";
import { HOUR } from "../shared/time.ts";

/** Only problems: what is fine here isn't worth a line. */
export async function upkeepFindings(data: Engine, config: Config): Promise<Finding[]> {
  const siteId = await data.siteId();
  if (siteId === undefined) return [];
  const looks = [disks(config), backups(data, config, siteId), mail(data), certificate(config)];
  const messages = (await Promise.all(looks)).flat();
  return messages.map((message) => ({ ok: false, message }));
}

/** Existing folders only: with a database or a bucket, some may be missing. */
async function disks({ dataDir, uploadsDir, backupDir }: Config): Promise<string[]> {
  const folders = Object.entries({ data: dataDir, pictures: uploadsDir, backups: backupDir });
  const { look, notices } = diskNotices(
    Object.fromEntries(folders.filter(([, folder]) => existsSync(folder))),
  );
  await look().catch(() => {});
  return (await notices()).map(({ message }) => message);
}

async function backups(data: Engine, config: Config, siteId: string): Promise<string[]> {
  const site = shortIdOf(siteId);
  const catalog = await readCatalog(config.backupDir, site);
  const [owner] = (await data.peek(entities.users)) ?? [];
  const { warning } = stateOf({
    config,
    catalog,
    backups: await backupsIn(config.backupDir, site, catalog),
    now: Date.now(),
    beganAt: Date.parse(owner?.createdAt ?? "") || Date.now(),
    underWay: null,
    unstored: undefined,
    holds: {},
    zone: zoneIn(await data.peek(entities.site)),
  });
  return warning ? [`${warning.title}. ${warning.message}`] : [];
}

/** Messages that failed; one that wasn't tried may just wait for the site to start. */
async function mail(data: Engine): Promise<string[]> {
  const messages = await data.peekRecords(entities.outbox);
  const late = messages.filter(
    ({ state, problem, createdAt }) =>
      state === "waiting" && problem !== null && Date.now() - Date.parse(createdAt ?? "") > HOUR,
  );
  const last = late.at(-1)?.problem;
  return last
    ? [
        `Messages that couldn't be sent for more than an hour: ${late.length}. The last one: ${last}`,
      ]
    : [];
}

/** The certificate on this machine; nothing if there is none yet. */
async function certificate(config: Config): Promise<string[]> {
  const { domain, certificatesDir } = config;
  if (!domain) return [];
  const store = certificateStore(certificatesDir, dataKeyOf(config.dataKey));
  const kept = await readCertificate({ ...store, write: async () => {} }, domain, 0).catch(
    () => undefined,
  );
  if (!kept || dueIn(kept, Date.now(), LATE) > 0) return [];
  const end = new Date(validityOf(kept).ends).toISOString();
  return [
    `The certificate for ${kept.domains.join(", ")} is good until ${end} and was not renewed. The log says why: journalctl -u limelight -p warning`,
  ];
}

/** The part of a certificate's life by which it should long have been renewed. */
const LATE = 5 / 6;
