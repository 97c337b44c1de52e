/**
 * What can be wrong with a running site (shared/notice.ts), found from outside by the doctor, whether the site is
 * running or not. A problem that isn't looked for here doesn't compile.
 */
import { existsSync } from "node:fs";
import { entities } from "../../schema/index.ts";
import { shortIdOf, backupsIn } from "../backup/kept/backupFolder.ts";
import { readCatalog } from "../backup/kept/catalog.ts";
import { stateOf } from "../backup/kept/state.ts";
import { writesNotices } from "../http/health.ts";
import { mailNotices } from "../mail/messages/mailNotices.ts";
import { isLate } from "../mail/queue/outbox.ts";
import type { Config } from "../shared/config.ts";
import { dataKeyOf } from "../shared/dataKey.ts";
import type { ProblemName } from "../shared/notice.ts";
import { MAIL_SECRET, sealOf } from "../shared/seal.ts";
import { siteTimeZone } from "../shared/siteZone.ts";
import { HOUR } from "../shared/time.ts";
import { disk } from "../storage/disk/realDisk.ts";
import { saveProbe } from "../storage/disk/saveProbe.ts";
import type { Engine, Finding } from "../storage/engine.ts";
import { siteSecret } from "../storage/siteSecret.ts";
import { diskNotices } from "../upkeep/limitNotices.ts";
import {
  certificateStore,
  readCertificate,
  readProblem,
  validityOf,
} from "./https/certificateStore.ts";
import { msUntilRenewal } from "./https/renewal.ts";

interface Outside {
  readonly data: Engine;
  readonly config: Config;
  readonly siteId: string;
}

const LOOKS: Readonly<Record<ProblemName, (site: Outside) => Promise<string[]>>> = {
  writes,
  mail,
  backup,
  certificate,
  disk: disks,
  // The doctor examines each one itself (backup/siteChecks.ts).
  pictures: async () => [],
};

/** Only problems: what is fine here isn't worth a line. */
export async function upkeepFindings(data: Engine, config: Config): Promise<Finding[]> {
  const siteId = await data.siteId();
  if (siteId === undefined) return [];
  const looks = Object.values(LOOKS).map((look) => look({ data, config, siteId }));
  const messages = (await Promise.all(looks)).flat();
  return messages.map((message) => ({ ok: false, message }));
}

/** Existing folders only: with a database or a bucket, some may be missing. */
const foldersOf = ({ dataDir: data, uploadsDir: pictures }: Config) =>
  Object.fromEntries(Object.entries({ data, pictures }).filter(([, folder]) => existsSync(folder)));

async function writes({ config }: Outside): Promise<string[]> {
  const tries = Object.values(foldersOf(config)).map((folder) => saveProbe(disk, folder));
  return (await writesNotices(...tries)()).map(({ message }) => message);
}

async function disks({ config }: Outside): Promise<string[]> {
  const backups = existsSync(config.backupDir) && { backups: config.backupDir };
  const { look, notices } = diskNotices({ ...foldersOf(config), ...backups });
  await look().catch(() => {});
  return (await notices()).map(({ message }) => message);
}

async function backup({ data, config, siteId }: Outside): Promise<string[]> {
  const site = shortIdOf(siteId);
  const catalog = await readCatalog(config.backupDir, site);
  const [owner] = (await data.readDocument(entities.users)) ?? [];
  const { warning } = stateOf({
    config,
    catalog,
    backups: await backupsIn(config.backupDir, site, catalog),
    now: Date.now(),
    startedAt: Date.parse(owner?.createdAt ?? "") || Date.now(),
    underWay: null,
    unstored: undefined,
    holds: {},
    zone: siteTimeZone(await data.readDocument(entities.site)),
  });
  return warning ? [`${warning.title}. ${warning.message}`] : [];
}

/** Messages that failed; one that wasn't tried may just wait for the site to start. */
async function mail({ data, config }: Outside): Promise<string[]> {
  const late = (await data.readRecords(entities.outbox)).filter(
    (message) => message.problem !== null && isLate(message, Date.now() - HOUR),
  );
  const last = late.at(-1)?.problem;
  const isSecretLost = await lacksMailSecret(data, config);
  return mailNotices({ waiting: late.length, failed: 0 }, isSecretLost).map(({ message }) =>
    last && !isSecretLost ? `${message} The last one: ${last}` : message,
  );
}

async function lacksMailSecret(data: Engine, { dataKey }: Config): Promise<boolean> {
  const settings = await data.readDocument(entities.mailSettings);
  const kept = await data.secret().catch(() => undefined);
  if (!settings?.account || settings.sealedSecret === null || !kept) return false;
  try {
    const secret = siteSecret(kept, dataKeyOf(dataKey), data.location).read();
    return sealOf(secret, MAIL_SECRET).unseal(settings.sealedSecret) === undefined;
  } catch {
    // Another key's; the doctor says so by itself.
    return false;
  }
}

/** What the running site said last, or what the certificate on this machine shows. */
async function certificate({ config }: Outside): Promise<string[]> {
  const { domain, certificatesDir } = config;
  if (!domain) return [];
  const store = certificateStore(certificatesDir, dataKeyOf(config.dataKey));
  const readOnly = { ...store, write: async () => {}, remove: async () => {} };
  const noted = await readProblem(readOnly).catch(() => undefined);
  if (noted) return [noted.message];
  const kept = await readCertificate(readOnly, domain, 0).catch(() => undefined);
  const missing = domain.filter((name) => !kept?.domains.includes(name));
  if (!kept || missing.length > 0)
    return [
      `There is no certificate for ${missing.join(", ")}. The site orders one when it starts; if it is running, the log says why there is none: journalctl -u limelight -p warning`,
    ];
  if (msUntilRenewal(kept, Date.now(), LATE) > 0) return [];
  const end = new Date(validityOf(kept).ends).toISOString();
  return [
    `The certificate for ${kept.domains.join(", ")} expires on ${end} and wasn't renewed. To see why: journalctl -u limelight -p warning`,
  ];
}

/** The part of a certificate's life by which it should long have been renewed. */
const LATE = 5 / 6;
