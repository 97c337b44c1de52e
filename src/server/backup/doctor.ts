/** Examines a site's folders file by file, whether it is running or not. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { storedSchema } from "../../schema/check.ts";
import type { Entity } from "../../schema/entity.ts";
import { allEntities, type Item } from "../../schema/index.ts";
import { variantUrl } from "../../schema/pictures.ts";
import { RESTORING } from "../storage/installation.ts";

/** One thing looked at: whether it is as it should be, in words that say what to do if not. */
export interface Finding {
  readonly ok: boolean;
  readonly words: string;
}

interface Folders {
  readonly data: string;
  readonly uploads: string;
}

const envelope = v.object({
  entity: v.string(),
  version: v.number(),
  revision: v.number(),
  savedAt: v.string(),
  value: v.unknown(),
});

/** Looks at the marker, every entity's files, the pictures and the folders' rights. */
export async function examine(folders: Folders): Promise<Finding[]> {
  if (await Bun.file(join(folders.data, RESTORING)).exists()) {
    return [bad('A restore was cut short. Run "limelight restore" with the archive again.')];
  }
  if (!(await Bun.file(join(folders.data, "installation.json")).exists())) {
    return [
      bad(
        `There is no site in ${folders.data}: its installation.json is missing. Restore a backup, or start once with an empty folder.`,
      ),
    ];
  }
  const entities = await Promise.all(
    allEntities.map((entity) => examineEntity(folders.data, entity)),
  );
  return [
    ...(await examineRights(folders)),
    ...entities.flat(),
    ...(await examinePictures(folders)),
  ];
}

const ok = (words: string): Finding => ({ ok: true, words });
const bad = (words: string): Finding => ({ ok: false, words });

async function examineRights({ data, uploads }: Folders): Promise<Finding[]> {
  return Promise.all(
    [data, uploads].map(async (folder) => {
      const found = await lstat(folder).catch(() => undefined);
      if (!found?.isDirectory()) return bad(`The folder ${folder} is missing.`);
      const open = (found.mode & 0o077) !== 0;
      return open
        ? bad(`Others can look into ${folder}. Run: chmod 700 ${folder}`)
        : ok(`${folder} is private`);
    }),
  );
}

async function examineEntity(data: string, entity: Entity): Promise<Finding[]> {
  const files = entity.shape === "records" ? await segments(data, entity) : [`${entity.name}.json`];
  const findings = await Promise.all(files.map((file) => examineFile(data, file, entity)));
  const wrong = findings.filter((finding) => !finding.ok);
  return wrong.length > 0
    ? wrong
    : [ok(`${entity.name}: ${files.length} ${files.length === 1 ? "file" : "files"}`)];
}

async function segments(data: string, entity: Entity): Promise<string[]> {
  const names = await readdir(join(data, entity.name)).catch(() => []);
  return names.filter((name) => /^\d+\.json$/.test(name)).map((name) => join(entity.name, name));
}

async function examineFile(data: string, file: string, entity: Entity): Promise<Finding> {
  const path = join(data, file);
  const parsed = v.safeParse(
    envelope,
    await Bun.file(path)
      .json()
      .catch(() => undefined),
  );
  const backup = `It has a copy, ${file}.bak, that the next start falls back to; else restore a backup.`;
  if (!parsed.success) return bad(`${file} is missing or can't be read. ${backup}`);
  const { version, value } = parsed.output;
  if (version > entity.version)
    return bad(`${file} was written by a newer Limelight. Use that version.`);
  const stored = storedSchema(entity);
  const schema = entity.shape === "records" ? v.array(stored) : stored;
  const right = version < entity.version || v.safeParse(schema, value).success;
  return right ? ok(file) : bad(`${file} holds values that don't fit. ${backup}`);
}

async function examinePictures({ data, uploads }: Folders): Promise<Finding[]> {
  const file = (await Bun.file(join(data, "uploads.json"))
    .json()
    .catch(() => undefined)) as { value: Item<"uploads">[] } | undefined;
  const listed = file?.value ?? [];
  const names = new Set(await readdir(uploads).catch(() => []));
  const missing = listed.filter((upload) => expected(upload).some((name) => !names.has(name)));
  if (missing.length === 0) return [ok(`${listed.length} pictures, all with their files`)];
  return missing.map((upload) =>
    bad(
      `The picture ${upload.originalName} has lost a file. Delete it in the dashboard and upload it again.`,
    ),
  );
}

function expected(upload: Item<"uploads">): string[] {
  const variants = upload.widths.map((width) => variantUrl(upload.url, width));
  return [upload.url, ...variants].map((url) => url.replace("/uploads/", ""));
}
