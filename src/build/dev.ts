/**
 * `bun run dev`: a sample site with a known login, run from source. After a change in `src`, the site is rebuilt and
 * open pages reload. PORT sets the port (default: 3000).
 */
import { existsSync, watch } from "node:fs";
import { extname, join, resolve } from "node:path";
import type { BuildReport } from "./devBuilder.ts";

const PORT = Number(process.env["PORT"] ?? 3000);
const SITE_DIR = join("dist", "dev");
const DEV_LOGIN = { username: "dev", password: "a site to try things on" };
const SITE_ENV: Record<string, string | undefined> = {
  ...process.env,
  HOST: "127.0.0.1",
  SITE_DIR,
  ADMIN_USERNAME: DEV_LOGIN.username,
  ADMIN_EMAIL: "dev@example.com",
  ADMIN_PASSWORD: DEV_LOGIN.password,
};

/** Pages request this URL, and reload when it responds: after the next build. */
const CHANGES_PATH = "/.dev/changed";
const RELOAD_CODE = `fetch("${CHANGES_PATH}").then(() => location.reload());`;
const RELOAD_TAG = '<script src="/.dev/reload.js" async></script>';

let resolveBuild: (report: BuildReport) => void = () => {};
let builder = startBuilder();
/** The paths of the builder's own modules. If one of them changes, the builder is restarted. */
let builderFiles = new Set<string>();
console.log("dev      building...");
await buildFiles();
if (!existsSync(SITE_DIR))
  await Bun.spawn([...createProgramCommand("demo"), "--fill"], {
    env: SITE_ENV,
    stdio: ["ignore", "inherit", "inherit"],
  }).exited;
let runningSite = serveSite();
// Registered before `Bun.serve`, so that the child processes are stopped even if the port is in use.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit());
process.once("exit", () => {
  runningSite.kill();
  builder.kill();
});
const waitingPages: (() => void)[] = [];

Bun.serve({
  hostname: "127.0.0.1",
  port: PORT,
  idleTimeout: 0,
  routes: {
    [CHANGES_PATH]: () =>
      new Promise<Response>((respond) => waitingPages.push(() => respond(new Response()))),
    "/.dev/reload.js": () =>
      new Response(RELOAD_CODE, { headers: { "content-type": "text/javascript" } }),
  },
  fetch: proxyRequest,
});
console.log(
  `dev      http://127.0.0.1:${PORT}, log in as ${DEV_LOGIN.username} with "${DEV_LOGIN.password}"`,
);

const BUILT_EXTENSIONS = new Set([".ts", ".tsx", ".css", ".svg", ".webp"]);
const changedFiles = new Set<string>();
let unbuiltFiles: readonly string[] = [];
let isBuilding = false;
watch("src", { recursive: true }, (_event, name) => {
  if (!name || !BUILT_EXTENSIONS.has(extname(name))) return;
  changedFiles.add(name);
  // Waits 30 ms, since editors write a file in several steps.
  setTimeout(() => void buildChanged(), 30);
});

async function buildChanged(): Promise<void> {
  if (isBuilding || changedFiles.size === 0) return;
  isBuilding = true;
  const startedAt = performance.now();
  const names = [...changedFiles];
  changedFiles.clear();
  try {
    unbuiltFiles = [...unbuiltFiles, ...names];
    await buildFiles(unbuiltFiles.map((name) => resolve("src", name)));
    unbuiltFiles = [];
    await runningSite.stop();
    runningSite = serveSite();
    await runningSite.url;
    console.log(`dev      ${names.join(", ")} in ${Math.round(performance.now() - startedAt)} ms`);
    for (const respond of waitingPages.splice(0)) respond();
  } catch (error) {
    // The site keeps serving the last successful build.
    console.error(error);
  }
  isBuilding = false;
  await buildChanged();
}

/** Builds the changed files. Restarts the builder if its own modules have changed; it then builds everything. */
async function buildFiles(files?: readonly string[]): Promise<void> {
  const isBuilderOutdated = files?.some((file) => builderFiles.has(file)) ?? false;
  if (isBuilderOutdated) {
    builder.kill();
    builder = startBuilder();
  }
  const { promise, resolve: resolveReport } = Promise.withResolvers<BuildReport>();
  resolveBuild = resolveReport;
  builder.send(isBuilderOutdated ? {} : { files });
  const { problem, modulePaths } = await Promise.race([
    promise,
    builder.exited.then(() => BUILDER_EXITED_REPORT),
  ]);
  builderFiles = new Set([...builderFiles, ...modulePaths]);
  if (problem !== undefined) throw new Error(problem);
}

const BUILDER_EXITED_REPORT: BuildReport = {
  problem: "The build process has exited.",
  modulePaths: [],
};

function startBuilder() {
  return Bun.spawn([process.execPath, "src/build/devBuilder.ts"], {
    env: SITE_ENV,
    ipc: (message: BuildReport) => resolveBuild(message),
    stdio: ["ignore", "inherit", "inherit"],
  });
}

function createProgramCommand(command: string): string[] {
  return [process.execPath, "src/main.ts", command];
}

/** Serves the site on a free port in a child process. `url` rejects if the process exits first. */
function serveSite() {
  const child = Bun.spawn(createProgramCommand("serve"), {
    env: { ...SITE_ENV, PORT: "0" },
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
  // Without a page request, nobody awaits the promise, and its rejection would end this process.
  url.catch(() => {});
  const kill = () => child.kill();
  const stop = async () => {
    kill();
    await child.exited;
  };
  return { url, kill, stop };
}

/** Forwards a request to the site once it has started, and adds the reload script to pages. */
async function proxyRequest(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  headers.set("accept-encoding", "identity");
  const { method, body } = request;
  const response = await fetch(`${await runningSite.url}${pathname}${search}`, {
    method,
    headers,
    body,
    redirect: "manual",
  });
  if (!response.headers.get("content-type")?.startsWith("text/html")) return response;
  const page = await response.text();
  const responseHeaders = new Headers(response.headers);
  responseHeaders.delete("content-length");
  return new Response(page.replace("</head>", `${RELOAD_TAG}</head>`), {
    status: response.status,
    headers: responseHeaders,
  });
}
