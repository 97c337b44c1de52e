/**
 * `bun run dev`: a sample site with a known login, run from source. Changes in `src` are rebuilt and served, and open
 * pages reload. PORT sets the port (3000).
 */
import { existsSync, watch } from "node:fs";
import { extname, join, resolve } from "node:path";
import type { Built } from "./devBuilder.ts";

const PORT = Number(process.env["PORT"] ?? 3000);
const SITE = join("dist", "dev");
const LOGIN = { username: "dev", password: "a site to try things on" };
const ENV: Record<string, string | undefined> = {
  ...process.env,
  HOST: "127.0.0.1",
  SITE_DIR: SITE,
  ADMIN_USERNAME: LOGIN.username,
  ADMIN_EMAIL: "dev@example.com",
  ADMIN_PASSWORD: LOGIN.password,
};

/** The URL that pages poll, and the script that does it: a page's policy only allows its own site's scripts. */
const CHANGED = "/.dev/changed";
const RELOAD = `fetch("${CHANGED}").then(() => location.reload());`;
const SCRIPT = '<script src="/.dev/reload.js" async></script>';

/** Called with what was built. */
let onBuilt: (built: Built) => void = () => {};
let builder = startBuilder();
/** The builder's own files: it has loaded them already. */
let itsFiles = new Set<string>();
console.log("dev      building...");
await build();
if (!existsSync(SITE))
  await Bun.spawn([...limelight("demo"), "--fill"], {
    env: ENV,
    stdio: ["ignore", "inherit", "inherit"],
  }).exited;
let served = serveSite();
// Before listening: if the port is taken, the site has to be stopped too.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit());
process.once("exit", () => {
  served.end();
  builder.kill();
});
/** Pages waiting for a change. */
const waiting: (() => void)[] = [];

Bun.serve({
  hostname: "127.0.0.1",
  port: PORT,
  idleTimeout: 0,
  routes: {
    [CHANGED]: () => new Promise<Response>((tell) => waiting.push(() => tell(new Response()))),
    "/.dev/reload.js": () =>
      new Response(RELOAD, { headers: { "content-type": "text/javascript" } }),
  },
  fetch: proxyRequest,
});
console.log(
  `dev      http://127.0.0.1:${PORT}, log in as ${LOGIN.username} with "${LOGIN.password}"`,
);

/** File types that affect the build or the server. */
const BUILT = new Set([".ts", ".tsx", ".css", ".svg", ".webp"]);
const changed = new Set<string>();
/** Of changes of which nothing could be built yet. */
let left: readonly string[] = [];
let building = false;
watch("src", { recursive: true }, (_event, name) => {
  if (!name || !BUILT.has(extname(name))) return;
  changed.add(name);
  // Editors write a file in several steps, and several files at once.
  setTimeout(() => void buildChanged(), 30);
});

async function buildChanged(): Promise<void> {
  if (building || changed.size === 0) return;
  building = true;
  const started = performance.now();
  const names = [...changed];
  changed.clear();
  try {
    left = [...left, ...names];
    await build(left.map((name) => resolve("src", name)));
    left = [];
    await served.stop();
    served = serveSite();
    await served.url;
    console.log(`dev      ${names.join(", ")} in ${Math.round(performance.now() - started)} ms`);
    for (const tell of waiting.splice(0)) tell();
  } catch (error) {
    // The site is unchanged until the next change.
    console.error(error);
  }
  building = false;
  await buildChanged();
}

/** Builds the outputs of the changed files, or everything; a builder that has changed itself is started anew. */
async function build(files?: readonly string[]): Promise<void> {
  const isOld = files?.some((file) => itsFiles.has(file)) ?? false;
  if (isOld) {
    builder.kill();
    builder = startBuilder();
  }
  const { promise, resolve: settle } = Promise.withResolvers<Built>();
  onBuilt = settle;
  builder.send(isOld ? {} : { files });
  const { problem, own } = await Promise.race([promise, builder.exited.then(() => ENDED)]);
  itsFiles = new Set([...itsFiles, ...own]);
  if (problem !== undefined) throw new Error(problem);
}

/** Its own source can't be run: it is started anew with the next change of one of its files. */
const ENDED: Built = { problem: "The build process has exited.", own: [] };

function startBuilder() {
  return Bun.spawn([process.execPath, "src/build/devBuilder.ts"], {
    env: ENV,
    ipc: (message: Built) => onBuilt(message),
    stdio: ["ignore", "inherit", "inherit"],
  });
}

/** Runs the program from source. */
function limelight(command: string): string[] {
  return [process.execPath, "src/main.ts", command];
}

/** Serves the site on a free port in a child process; `url` resolves once it does, and rejects if it exits first. */
function serveSite() {
  const child = Bun.spawn(limelight("serve"), {
    env: { ...ENV, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { promise: url, resolve, reject } = Promise.withResolvers<string>();
  void (async () => {
    let output = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      process.stdout.write(text);
      output += text;
      const [, port] = /\(listening on [^)]*:(\d+)\)/.exec(output) ?? [];
      if (port) resolve(`http://127.0.0.1:${port}`);
    }
    reject(new Error("The site has exited. It restarts on the next change."));
  })();
  // Reported to whoever requests a page; there may be nobody.
  url.catch(() => {});
  const end = () => child.kill();
  const stop = async () => {
    end();
    await child.exited;
  };
  return { url, end, stop };
}

/** Proxies a request to the site, waiting for it to start; adds the reload script to pages. */
async function proxyRequest(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  headers.set("accept-encoding", "identity");
  const { method, body } = request;
  const response = await fetch(`${await served.url}${pathname}${search}`, {
    method,
    headers,
    body,
    redirect: "manual",
  });
  if (!response.headers.get("content-type")?.startsWith("text/html")) return response;
  const page = await response.text();
  const answered = new Headers(response.headers);
  answered.delete("content-length");
  return new Response(page.replace("</head>", `${SCRIPT}</head>`), {
    status: response.status,
    headers: answered,
  });
}
