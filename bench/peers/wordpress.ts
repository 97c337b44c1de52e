/**
 * WordPress as Debian has it: nginx in front of PHP-FPM, MariaDB behind, everything at its defaults, with the
 * content and the theme that an installation comes with. Needs wordpress, wordpress-theme-twentytwentythree,
 * php-fpm, php-mysql, mariadb-server and nginx-light; all of it runs from a folder of its own.
 */
import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Peer } from "../peers.ts";
import { missingMariaDb, startMariaDb } from "./mariadb.ts";
import { freePort } from "../../tests/support/ports.ts";

const isRoot = process.getuid?.() === 0;
const SOURCE = "/usr/share/wordpress";

/** Starts a site; where something is missing, says how to get it. */
export async function startWordPress(): Promise<Peer | string> {
  const fpm = (await readdir("/usr/sbin").catch(() => [])).find((name) =>
    name.startsWith("php-fpm"),
  );
  if (!fpm) return "apt install php-fpm php-mysql";
  if (missingMariaDb) return missingMariaDb;
  if (!Bun.which("nginx")) return "apt install nginx-light";
  if (!(await Bun.file(`${SOURCE}/wp-login.php`).exists()))
    return "apt install wordpress wordpress-theme-twentytwentythree";

  const folder = await mkdtemp(join(tmpdir(), "limelight-wordpress-"));
  await chmod(folder, 0o755);
  const url = `http://127.0.0.1:${freePort()}`;
  const children: Bun.Subprocess[] = [];
  const start = (...command: string[]) => {
    const child = Bun.spawn(command, { stdio: ["ignore", "ignore", "ignore"] });
    children.push(child);
  };
  const stop = async () => {
    for (const child of children) child.kill();
    await Promise.all(children.map(({ exited }) => exited));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const { child, socket } = await startMariaDb(folder);
    children.push(child);
    await Bun.$`cp -rL ${SOURCE} ${folder}/site && rm -f ${folder}/site/wp-config.php`.quiet();
    await writeFile(join(folder, "site/wp-config.php"), configOf(socket, url));
    await writeFile(join(folder, "fpm.conf"), fpmConfig(folder));
    await writeFile(join(folder, "nginx.conf"), nginxConfig(folder, url));
    start(`/usr/sbin/${fpm}`, "-F", "-R", "-y", join(folder, "fpm.conf"));
    start("nginx", "-c", join(folder, "nginx.conf"));
    await isThere(`${url}/wp-admin/install.php`);
    await install(url);
    return { name: "WordPress", url, pids: children.map(({ pid }) => pid), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Until an address is answered well. */
export async function isThere(url: string, within = 60_000): Promise<void> {
  const end = performance.now() + within;
  const isWell = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isWell())) {
    if (performance.now() > end) throw new Error(`${url} did not become well.`);
    await Bun.sleep(100);
  }
}

const configOf = (socket: string, url: string) => `<?php
define('DB_NAME', 'site'); define('DB_USER', 'site'); define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:${socket}'); define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
define('WP_HOME', '${url}'); define('WP_SITEURL', '${url}');
define('WP_HTTP_BLOCK_EXTERNAL', true); define('DISABLE_WP_CRON', true); define('AUTOMATIC_UPDATER_DISABLED', true);
${["AUTH", "SECURE_AUTH", "LOGGED_IN", "NONCE"].map((name) => `define('${name}_KEY', '${crypto.randomUUID()}'); define('${name}_SALT', '${crypto.randomUUID()}');`).join("\n")}
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`;

/** Five processes, as the package's own pool has them. */
const fpmConfig = (folder: string) => `[global]
error_log = ${folder}/fpm.log
[www]
${isRoot ? "user = www-data\ngroup = www-data\nlisten.owner = www-data" : ""}
listen = ${folder}/fpm.sock
pm = static
pm.max_children = 5
`;

const nginxConfig = (folder: string, url: string) => `daemon off; worker_processes 1;
${isRoot ? "user www-data;" : ""} pid ${folder}/nginx.pid; error_log ${folder}/nginx-errors;
events { worker_connections 1024; }
http {
  include /etc/nginx/mime.types; sendfile on; gzip on; gzip_types text/css application/javascript;
  access_log off;
  server {
    listen ${url.slice("http://".length)}; root ${folder}/site; index index.php;
    location / { try_files $uri $uri/ /index.php?$args; }
    location ~ \\.php$ { include /etc/nginx/fastcgi.conf; fastcgi_pass unix:${folder}/fpm.sock; }
  }
}
`;

async function install(url: string): Promise<void> {
  const password = crypto.randomUUID();
  const answers = {
    weblog_title: "Peer",
    user_name: "owner",
    admin_password: password,
    admin_password2: password,
    pw_weak: "1",
    admin_email: "owner@peer.example",
    blog_public: "1",
  };
  const done = await fetch(`${url}/wp-admin/install.php?step=2`, {
    method: "POST",
    body: new URLSearchParams(answers),
  });
  const page = await done.text();
  if (!page.includes("Success")) throw new Error("WordPress could not be installed.");
}
