/**
 * The cost of built files, fonts and pictures compared with nginx, which sends the same bytes from the disk:
 * requests a second and the server's own CPU time, with 64 connections of wrk, in turns. Needs Debian's nginx-light
 * and wrk. bun bench/files.ts [seconds a round, default 3] [rounds, default ROUNDS or 5]
 */
import { chmod, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ProgramSite, startProgram } from "../tests/support/program.ts";
import { waitForValue } from "../tests/support/waits.ts";
import {
  createTemporaryFolder,
  measureInTurns,
  median,
  summarizeFigures,
  printFigure,
  printRow,
} from "./measure.ts";
import { findFreePort } from "../tests/support/ports.ts";
import { hasWrk, type MeasuredServer, runWrk } from "./wrk.ts";

const [seconds = 3, rounds = Number(process.env["ROUNDS"] ?? 5)] = process.argv
  .slice(2)
  .map(Number);

if (Bun.which("nginx") && hasWrk) await compareAll();
else printFigure("files against nginx", "not measured: apt install nginx-light wrk");

async function compareAll(): Promise<void> {
  const site = await startProgram({ hasSample: true });
  const root = await createTemporaryFolder();
  // If root starts nginx, its workers run as another user.
  await chmod(root, 0o755);
  try {
    const files = await findFilePaths(site);
    for (const path of Object.values(files)) {
      const bytes = await (await fetchUncompressed(site.url + path)).bytes();
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), bytes);
    }
    const nginx = await startNginx(root);
    for (const [label, path] of Object.entries(files)) await compare(label, path, site, nginx);
    nginx.stop();
  } finally {
    await site.stop();
    await rm(root, { recursive: true, force: true });
  }
}

/** Requests a file uncompressed, as wrk does. */
function fetchUncompressed(url: string): Promise<Response> {
  return fetch(url, { headers: { "accept-encoding": "identity" } });
}

/** Finds the paths of a font, a style sheet and a picture of medium size, by kind. */
async function findFilePaths(site: ProgramSite): Promise<Record<string, string>> {
  const page = await (await fetch(site.url)).text();
  const names = (await readdir(site.uploadsDir)).filter((name) => /^[\da-f].*\.webp$/.test(name));
  const sizes = await Promise.all(
    names.map(async (name) => ({ name, size: (await stat(join(site.uploadsDir, name))).size })),
  );
  const mediumFile = sizes.toSorted((a, b) => a.size - b.size)[Math.floor(sizes.length / 2)]!;
  return {
    font: /\/fonts\/files\/[^"')]+\.woff2/.exec(page)![0],
    "style sheet": /\/assets\/[^"']+\.css/.exec(page)![0],
    picture: `/uploads/${mediumFile.name}`,
  };
}

async function compare(
  label: string,
  path: string,
  ...servers: [MeasuredServer, MeasuredServer]
): Promise<void> {
  const sizes = servers.map(
    async ({ url }) => (await (await fetchUncompressed(url + path)).bytes()).length,
  );
  const [size, nginxSize] = await Promise.all(sizes);
  if (size !== nginxSize) throw new Error(`nginx sends ${nginxSize} bytes of ${path}, not ${size}`);
  const runs = await measureInTurns(servers, rounds, (server) => runWrk(server, path, seconds));
  const [ourRates = [], nginxRates = []] = runs.map((each) =>
    each.map(({ perSecond }) => perSecond),
  );
  const [ourCost = 0, nginxCost = 0] = runs.map((each) => median(each.map(({ cpu }) => cpu)));
  printRow({
    what: `${label}: requests a second`,
    ...summarizeFigures(ourRates, ""),
    ratio: `${(median(ourRates) / median(nginxRates)).toFixed(2)} of nginx; ${ourCost.toFixed(1)} µs of CPU a request, nginx ${nginxCost.toFixed(1)}`,
    goal: "0.8",
  });
}

/** Starts nginx with one worker that writes its log in batches, like the site. */
async function startNginx(root: string): Promise<MeasuredServer & { stop(): void }> {
  const url = `127.0.0.1:${findFreePort()}`;
  const config = join(root, "nginx.conf");
  await writeFile(
    config,
    `daemon off; worker_processes 1; pid ${root}/pid; error_log ${root}/errors;
    events { worker_connections 1024; }
    http {
      include /etc/nginx/mime.types; sendfile on; tcp_nopush on; keepalive_requests 100000000;
      access_log ${root}/log combined buffer=64k flush=1s;
      server { listen ${url}; root ${root}; }
    }`,
  );
  const child = Bun.spawn(["nginx", "-c", config], { stdio: ["ignore", "ignore", "inherit"] });
  await waitForValue(
    () =>
      fetch(`http://${url}/`).then(
        () => true,
        () => false,
      ),
    true,
  );
  const workers = await Bun.file(`/proc/${child.pid}/task/${child.pid}/children`).text();
  return { url: `http://${url}`, pid: Number(workers.trim()), stop: () => void child.kill() };
}
