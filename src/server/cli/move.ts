/** `limelight move`: copies a site elsewhere and verifies the copy; the running site is read-only meanwhile. */
import { resolve } from "node:path";
import { moveSite } from "../backup/moveSite.ts";
import { type Config, hasBucketKey, keepApart } from "../shared/config.ts";
import { wrongUsage } from "../shared/errors.ts";
import { valueOf } from "../shared/setting.ts";
import { SETTINGS } from "../shared/settings.ts";
import { type Command, say } from "./command.ts";
import { engineOf, picturesOf } from "./openSite.ts";

export const move: Command = {
  name: "move",
  usage: "[--to postgres://…|<folder>] [--uploads s3://…|<folder>] [--cancel]",
  summary:
    "copies the site to another database or bucket, or back into folders, and proves every byte; it is read-only meanwhile",
  flags: { "--to": "value", "--uploads": "value", "--cancel": "alone" },
  run: moveOrCancel,
};

type Flags = ReadonlyMap<string, string>;

async function moveOrCancel(config: Config, _args: unknown, flags: Flags): Promise<number> {
  const [to, uploads] = [flags.get("--to"), flags.get("--uploads")];
  if (flags.has("--cancel") ? to || uploads : !to && !uploads)
    throw wrongUsage(
      "Say where to: limelight move --to postgres://user:password@host/name --uploads s3://bucket",
    );
  if (flags.has("--cancel")) return cancel(config);
  const target = targetOf(config, to, uploads);
  const from = { data: engineOf(config), uploads: picturesOf(config) };
  const there = { data: engineOf(target), uploads: picturesOf(target) };
  const release = from.data.location === there.data.location ? () => {} : await there.data.lock();
  try {
    const moved = await moveSite(from, there, { say });
    say(
      `Both places hold the same: ${moved.documents} sections and lists with ${moved.versions} earlier versions, ${moved.records} records, ${moved.pictures} files of pictures (${Math.ceil(moved.bytes / 1024)} KB).`,
    );
  } finally {
    await release();
  }
  say(`Now stop the site, and start it with ${settingsFor(target, to, uploads)}.`);
  say(
    'Until then it can be read and not changed. To stay with what there was instead: "limelight move --cancel"',
  );
  return 0;
}

/** The site's settings at its destination. */
function targetOf(config: Config, to: string | undefined, uploads: string | undefined): Config {
  const isDatabase = to !== undefined && isAddress(to);
  const isBucket = uploads !== undefined && isAddress(uploads);
  const target: Config = {
    ...config,
    ...(to !== undefined && {
      dataDir: isDatabase ? config.dataDir : folder(to, config.dataDir),
      databaseUrl: isDatabase ? read("databaseUrl", "--to", to) : undefined,
    }),
    ...(uploads !== undefined && {
      uploadsDir: isBucket ? config.uploadsDir : folder(uploads, config.uploadsDir),
      uploadsS3: isBucket ? read("uploadsS3", "--uploads", uploads) : undefined,
    }),
  };
  if (target.uploadsS3 && !hasBucketKey(config))
    throw wrongUsage(
      "A bucket needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or S3_CREDENTIALS.",
    );
  keepApart(target);
  return target;
}

const isAddress = (text: string) => /^[a-z\d]+:/i.test(text);

/** Another spelling of the present folder counts as the same. */
const folder = (given: string, present: string) =>
  resolve(given) === resolve(present) ? present : given;

/** Error messages name this command's flag. */
const read = <N extends "databaseUrl" | "uploadsS3">(name: N, flag: string, text: string) =>
  valueOf({ ...SETTINGS[name], flag }, text) as Config[N];

/** In words, without passwords. */
function settingsFor(
  { databaseUrl, uploadsS3, dataDir, uploadsDir }: Config,
  to: string | undefined,
  uploads: string | undefined,
): string {
  const given = [
    to && (databaseUrl ? "DATABASE_URL as given to --to" : `DATA_DIR=${dataDir}, no DATABASE_URL`),
    uploads &&
      (uploadsS3 ? `UPLOADS_S3=${uploadsS3.text}` : `UPLOADS_DIR=${uploadsDir}, no UPLOADS_S3`),
  ];
  return given.filter(Boolean).join(" and ");
}

async function cancel(config: Config): Promise<number> {
  const { standstill } = engineOf(config);
  const destination = await standstill.underWay();
  if (!destination) {
    say("This site is not being moved.");
    return 0;
  }
  await standstill.end();
  say(`The site takes changes again. What was copied to ${destination.data} stays there.`);
  return 0;
}
