/** Reads everything that a site has stored as texts. Erased data must not be in any of them. */
import { SQL } from "bun";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../src/server/shared/config.ts";
import { ignoreMissing } from "../../src/server/storage/disk/disk.ts";

export interface StoredText {
  /** A file of the data folder, or a table of the database. */
  readonly path: string;
  readonly text: string;
}

export function readStoredTexts({ dataDir, databaseUrl }: Config): Promise<StoredText[]> {
  return databaseUrl ? readRows(databaseUrl) : readFiles(dataDir);
}

/**
 * Returns the files below a folder with their paths, in order. The folder may change meanwhile: a file that is
 * renamed or removed before it is read is left out.
 */
export async function readFiles(folder: string): Promise<StoredText[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  const texts = await Promise.all(paths.map((path) => ignoreMissing(Bun.file(path).text())));
  return paths.flatMap((path, at) => {
    const text = texts[at];
    return text === undefined ? [] : [{ path, text }];
  });
}

/** Returns the paths of files below a folder that contain a text, ignoring case. */
export async function findFilesContaining(folder: string, searchText: string): Promise<string[]> {
  const isMatch = (text: string) => text.toLowerCase().includes(searchText.toLowerCase());
  return (await readFiles(folder)).filter(({ text }) => isMatch(text)).map(({ path }) => path);
}

async function readRows({
  url,
  schema,
}: NonNullable<Config["databaseUrl"]>): Promise<StoredText[]> {
  const sql = new SQL(url, { max: 1 });
  try {
    const tables: { name: string }[] = await sql.unsafe(
      "select tablename as name from pg_tables where schemaname = $1",
      [schema],
    );
    const texts: StoredText[] = [];
    for (const { name } of tables) {
      const [row] = await sql.unsafe(
        `select coalesce(string_agg(t::text, E'\\n'), '') as text from "${schema}"."${name}" t`,
      );
      texts.push({ path: name, text: (row as { text: string }).text });
    }
    return texts;
  } finally {
    await sql.close();
  }
}
