/** The built program serving HTTPS itself, with certificates from a test's authority. */
import { connect, type PeerCertificate, type TLSSocket } from "node:tls";
import { join } from "node:path";
import type { Pebble } from "./pebble.ts";
import { freePort } from "./ports.ts";
import { newSiteFolder, program, removeFolder } from "./program.ts";
import { AS_OWNER, OWNER } from "./site.ts";
import { eventually } from "./waits.ts";

export type HttpsSite = Awaited<ReturnType<typeof newHttpsSite>>;

/** A site that isn't started yet, with its own ports, for the domain `name`. */
export async function newHttpsSite(name: string) {
  const site = await newSiteFolder();
  const [http, https] = [freePort(), freePort()];
  let child: Bun.Subprocess | undefined;
  const file = Bun.file(join(site.folder, "log"));
  const log = () => file.text();
  /** Accepts an expired certificate, since the machine may have stalled that long. */
  const connected = (more: object = { rejectUnauthorized: false }): Promise<TLSSocket> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port: https, host: "127.0.0.1", servername: name, ...more });
      socket.once("secureConnect", () => resolve(socket)).once("error", reject);
    });
  /** The served certificate; undefined if nothing listens. */
  async function served(): Promise<PeerCertificate | undefined> {
    const socket = await connected().catch(() => undefined);
    const certificate = socket?.getPeerCertificate() as PeerCertificate | undefined;
    socket?.destroy();
    return certificate;
  }
  async function end(signal: NodeJS.Signals = "SIGTERM"): Promise<number | undefined> {
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
    connected,
    served,
    end,
    pid: () => child?.pid,
    serial: async () => (await served())?.serialNumber,
    /** Clears its log. */
    async start(
      domain: string,
      pebble: Pick<Pebble, "directory" | "ca">,
      env: Readonly<Record<string, string>> = AS_OWNER,
    ) {
      await Bun.write(file, "");
      child = Bun.spawn([program(), "serve", "--domain", domain, "--email", "ada@example.com"], {
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
      });
    },
    says: (words: string | RegExp) =>
      eventually(async () => (await log()).search(words) >= 0, true, log),
    async remove() {
      await end("SIGKILL");
      await removeFolder(site);
    },
  };
}

/** The dashboard's notices of a site whose certificate no test trusts. */
export async function noticesOf(
  port: number,
  host: string,
): Promise<{ code: string; title?: string; message: string }[]> {
  const at = `https://127.0.0.1:${port}`;
  const headers = { host, origin: `https://${host}`, "content-type": "application/json" };
  const tls = { rejectUnauthorized: false };
  const { username, password } = OWNER;
  const body = JSON.stringify({ username, password });
  const login = await fetch(`${at}/api/auth/login`, { method: "POST", headers, body, tls });
  const cookie = login.headers.get("set-cookie")!.split(";")[0]!;
  const answer = await fetch(`${at}/api/notices`, { headers: { ...headers, cookie }, tls });
  return (await answer.json()) as never[];
}
