/**
 * Ghost from npm at its defaults for production, on MariaDB (its SQLite is fetched from elsewhere than the
 * registry), with the posts and the theme that it comes with. Its package is unpacked and its packages are
 * installed once, some five minutes, in a folder that stays; it runs on the Node that it wants.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Peer } from "../peers.ts";
import { missingMariaDb, startMariaDb } from "./mariadb.ts";
import { isThere } from "./wordpress.ts";
import { freePort } from "../../tests/support/ports.ts";

const VERSION = "6.65.0";
const NODE = ["npx", "--yes", "-p", "node@22", "node"];

/** Starts a site; where something is missing, says how to get it. */
export async function startGhost(): Promise<Peer | string> {
  if (missingMariaDb) return missingMariaDb;
  if (!Bun.which("npm")) return "apt install npm";
  const program = await installed();
  const folder = await mkdtemp(join(tmpdir(), "limelight-ghost-"));
  await chmod(folder, 0o755);
  const database = await startMariaDb(folder);
  const children: Bun.Subprocess[] = [database.child];
  const stop = async () => {
    for (const child of children.toReversed()) {
      child.kill();
      await child.exited;
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await Bun.$`cp -r ${program}/content ${folder}/content`.quiet();
    const port = freePort();
    const url = `http://127.0.0.1:${port}`;
    const node = (await Bun.$`${NODE} -p process.execPath`.quiet().text()).trim();
    const ghost = Bun.spawn([node, "index.js"], {
      cwd: program,
      env: {
        ...process.env,
        NODE_ENV: "production",
        url,
        server__host: "127.0.0.1",
        server__port: String(port),
        database__client: "mysql",
        database__connection__host: "127.0.0.1",
        database__connection__port: String(database.port),
        database__connection__user: "site",
        database__connection__database: "site",
        paths__contentPath: `${folder}/content`,
        privacy__useUpdateCheck: "false",
      },
      stdio: ["ignore", Bun.file(join(folder, "log")), Bun.file(join(folder, "log"))],
    });
    children.push(ghost);
    // It makes its tables first.
    await isThere(url, 300_000).catch(async (error: unknown) => {
      console.error((await Bun.file(join(folder, "log")).text()).slice(-1500));
      throw error;
    });
    return { name: "Ghost", url, pids: children.map(({ pid }) => pid), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The folder of the program; its packages run nothing while they are installed. */
async function installed(): Promise<string> {
  const folder = join(tmpdir(), `limelight-ghost-${VERSION}`);
  const done = Bun.file(join(folder, ".installed"));
  if (await done.exists()) return folder;
  console.error(`Ghost ${VERSION} is installed in ${folder}...`);
  await rm(folder, { recursive: true, force: true });
  await Bun.$`mkdir -p ${folder} && cd ${folder} && npm pack ghost@${VERSION} --silent && tar -xzf ghost-${VERSION}.tgz --strip-components=1 && npm install --omit=dev --no-audit --no-fund --ignore-scripts --legacy-peer-deps`.quiet();
  await Bun.write(done, "");
  return folder;
}
