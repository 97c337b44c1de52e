/** The built program serving HTTPS itself, with certificates from a test's authority. */
import { connect, type PeerCertificate, type TLSSocket } from "node:tls";
import { join } from "node:path";
import type { Pebble } from "./pebble.ts";
import { findFreePort } from "./ports.ts";
import { createSiteFolder, getProgramPath, removeSiteFolder } from "./program.ts";
import { OWNER_ENV, OWNER } from "./site.ts";
import { waitForValue } from "./waits.ts";

export type HttpsSite = Awaited<ReturnType<typeof createHttpsSite>>;

/** Creates a site with its own ports for the domain `name`, but doesn't start it. */
export async function createHttpsSite(name: string) {
  const site = await createSiteFolder();
  const [http, https] = [findFreePort(), findFreePort()];
  let child: Bun.Subprocess | undefined;
  const file = Bun.file(join(site.folder, "log"));
  const log = () => file.text();
  /** Accepts an expired certificate, since the machine may have stalled that long. */
  const openConnection = (more: object = { rejectUnauthorized: false }): Promise<TLSSocket> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port: https, host: "127.0.0.1", servername: name, ...more });
      socket.once("secureConnect", () => resolve(socket)).once("error", reject);
    });
  /** Returns the certificate being served; undefined if nothing listens. */
  async function readCertificate(): Promise<PeerCertificate | undefined> {
    const socket = await openConnection().catch(() => undefined);
    const certificate = socket?.getPeerCertificate() as PeerCertificate | undefined;
    socket?.destroy();
    return certificate;
  }
  async function stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number | undefined> {
    child?.kill(signal);
    const code = await child?.exited;
    child = undefined;
    return code;
  }
  return {
    ...site,
    http,
    https,
    log,
    connected: openConnection,
    served: readCertificate,
    stop,
    pid: () => child?.pid,
    readSerial: async () => (await readCertificate())?.serialNumber,
    /** Starts the site with an empty log. */
    async start(
      domain: string,
      pebble: Pick<Pebble, "directory" | "ca">,
      env: Readonly<Record<string, string>> = OWNER_ENV,
    ) {
      await Bun.write(file, "");
      child = Bun.spawn(
        [getProgramPath(), "serve", "--domain", domain, "--email", "ada@example.com"],
        {
          cwd: site.folder,
          env: {
            PATH: process.env["PATH"],
            HOST: "127.0.0.1",
            PORT: String(https),
            HTTP_PORT: String(http),
            ACME_DIRECTORY: pebble.directory,
            ...(pebble.ca && { NODE_EXTRA_CA_CERTS: pebble.ca }),
            ...env,
          },
          stdout: file,
          stderr: file,
        },
      );
    },
    waitForLog: (words: string | RegExp) =>
      waitForValue(async () => (await log()).search(words) >= 0, true, log),
    async remove() {
      await stop("SIGKILL");
      await removeSiteFolder(site);
    },
  };
}

/** Returns the dashboard's notices, for a site with a certificate that isn't trusted. */
export async function readNotices(
  port: number,
  host: string,
): Promise<{ code: string; title?: string; message: string }[]> {
  const origin = `https://127.0.0.1:${port}`;
  const headers = { host, origin: `https://${host}`, "content-type": "application/json" };
  const tls = { rejectUnauthorized: false };
  const { username, password } = OWNER;
  const body = JSON.stringify({ username, password });
  const login = await fetch(`${origin}/api/auth/login`, { method: "POST", headers, body, tls });
  const cookie = login.headers.get("set-cookie")!.split(";")[0]!;
  const response = await fetch(`${origin}/api/notices`, { headers: { ...headers, cookie }, tls });
  return (await response.json()) as never[];
}
