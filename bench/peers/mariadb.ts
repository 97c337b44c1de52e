/** Debian's MariaDB at its defaults, in a folder of its own; its database is "site", its user "site" without a password. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../../tests/support/ports.ts";
import { eventually } from "../../tests/support/waits.ts";

const isRoot = process.getuid?.() === 0;

/** What has to be installed first; undefined when it is there. */
export const missingMariaDb =
  Bun.which("mariadbd") && Bun.which("mariadb-install-db")
    ? undefined
    : "apt install mariadb-server";

export interface MariaDb {
  readonly child: Bun.Subprocess;
  readonly socket: string;
  readonly port: number;
}

/** `folder` must be open to the database's user. */
export async function startMariaDb(folder: string): Promise<MariaDb> {
  const user = isRoot ? ["--user=mysql"] : [];
  const home = join(folder, "database");
  await mkdir(home);
  if (isRoot) await Bun.$`chown mysql ${home}`.quiet();
  const [data, socket, port] = [join(home, "data"), join(home, "socket"), freePort()];
  await Bun.$`mariadb-install-db --no-defaults ${user} --datadir=${data} --auth-root-authentication-method=normal --skip-test-db`.quiet();
  const places = [`--datadir=${data}`, `--socket=${socket}`, `--pid-file=${home}/pid`];
  const child = Bun.spawn(
    ["mariadbd", "--no-defaults", ...user, ...places, `--port=${port}`, "--bind-address=127.0.0.1"],
    { stdio: ["ignore", "ignore", "ignore"] },
  );
  const setUp = [
    "CREATE DATABASE IF NOT EXISTS site",
    "CREATE USER IF NOT EXISTS site@localhost",
    "CREATE USER IF NOT EXISTS site@127.0.0.1",
    "GRANT ALL ON site.* TO site@localhost",
    "GRANT ALL ON site.* TO site@127.0.0.1",
  ].join(";");
  const run = () =>
    Bun.$`mariadb --no-defaults -u root --socket=${socket} -e ${setUp}`.nothrow().quiet();
  await eventually(async () => (await run()).exitCode, 0);
  return { child, socket, port };
}
