/** All that a site has stored, as texts: what was erased must be in none of them, wherever the site keeps its data. */
import { SQL } from "bun";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../src/server/shared/config.ts";

export interface KeptText {
  /** A file of the data folder, or a table of the database. */
  readonly path: string;
  readonly text: string;
}

export function keptTexts({ dataDir, databaseUrl }: Config): Promise<KeptText[]> {
  return databaseUrl ? rowsOf(databaseUrl) : filesIn(dataDir);
}

async function filesIn(folder: string): Promise<KeptText[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(paths.map(async (path) => ({ path, text: await textOf(path) })));
}

/** A file that took another's place meanwhile is listed under its name. */
function textOf(path: string): Promise<string> {
  return Bun.file(path)
    .text()
    .catch((error: { code?: string }) => {
      if (error.code === "ENOENT") return "";
      throw error;
    });
}

async function rowsOf({ url, schema }: NonNullable<Config["databaseUrl"]>): Promise<KeptText[]> {
  const sql = new SQL(url, { max: 1 });
  try {
    const tables: { name: string }[] = await sql.unsafe(
      "select tablename as name from pg_tables where schemaname = $1",
      [schema],
    );
    const texts: KeptText[] = [];
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
