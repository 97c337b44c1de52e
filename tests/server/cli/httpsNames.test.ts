/** A name of DOMAIN that isn't ready takes nothing from those that are (specification, section 1.4). */
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { connect as tlsConnect, type PeerCertificate } from "node:tls";
import { findPebble, type Pebble, startPebble } from "../../support/pebble.ts";
import { freePort } from "../../support/ports.ts";
import { newSiteFolder, program, removeFolder, type SiteFolder } from "../../support/program.ts";
import { AS_OWNER, OWNER } from "../../support/site.ts";
import { eventually } from "../../support/waits.ts";

setDefaultTimeout(120_000);

const programs = await findPebble();
const [OWN, OTHER] = ["limelight.test", "www.limelight.test"] as const;

describe.skipIf(programs === undefined)("of two names one isn't ready", () => {
  let pebble: Pebble;
  let folder: SiteFolder;
  let child: Bun.Subprocess | undefined;
  let ports: { http: number; https: number };

  async function authority(options?: Parameters<typeof startPebble>[2]): Promise<void> {
    ports = { http: freePort(), https: freePort() };
    pebble = await startPebble(programs!, ports.http, options);
    folder = await newSiteFolder();
    await pebble.resolves(OTHER, false);
  }

  async function start(domain: string): Promise<void> {
    const log = Bun.file(join(folder.folder, "log"));
    await Bun.write(log, "");
    child = Bun.spawn([program(), "serve", "--domain", domain], {
      cwd: folder.folder,
      env: {
        PATH: process.env["PATH"],
        ...AS_OWNER,
        HOST: "127.0.0.1",
        PORT: String(ports.https),
        HTTP_PORT: String(ports.http),
        ACME_DIRECTORY: pebble.directory,
        NODE_EXTRA_CA_CERTS: pebble.ca,
      },
      stdout: log,
      stderr: log,
    });
  }

  async function end(): Promise<void> {
    child?.kill();
    await child?.exited;
    child = undefined;
  }

  afterEach(async () => {
    await end();
    await pebble.stop();
    await removeFolder(folder);
  });

  const log = () => Bun.file(join(folder.folder, "log")).text();
  const says = (words: string | RegExp) =>
    eventually(async () => (await log()).search(words) >= 0, true, log);

  /** The certificate that is served; undefined where nothing listens. */
  const served = () =>
    new Promise<PeerCertificate | undefined>((resolve) => {
      const names = { servername: OWN, rejectUnauthorized: false };
      const socket = tlsConnect({ port: ports.https, host: "127.0.0.1", ...names });
      socket.once("secureConnect", () => {
        resolve(socket.getPeerCertificate() as PeerCertificate);
        socket.destroy();
      });
      socket.once("error", () => resolve(undefined));
    });
  const serial = async () => (await served())?.serialNumber;
  const names = async () =>
    (await served())?.subjectaltname
      ?.split(", ")
      .map((name) => name.slice(4))
      .toSorted();

  /** What the dashboard says of it. */
  async function notices(): Promise<{ code: string; title?: string; message: string }[]> {
    const agent = { tls: { rejectUnauthorized: false } };
    const at = `https://127.0.0.1:${ports.https}`;
    const headers = { host: OWN, origin: `https://${OWN}`, "content-type": "application/json" };
    const { username, password } = OWNER;
    const body = JSON.stringify({ username, password });
    const login = await fetch(`${at}/api/auth/login`, { method: "POST", headers, body, ...agent });
    const cookie = login.headers.get("set-cookie")!.split(";")[0]!;
    const answer = await fetch(`${at}/api/notices`, { headers: { ...headers, cookie }, ...agent });
    return (await answer.json()) as never[];
  }

  test("what is kept goes on being served, and the log and the dashboard say which name lacks what", async () => {
    await authority();
    await start(OWN);
    await says("is in use");
    const before = await serial();
    await end();
    await start(`${OWN},${OTHER}`);
    await eventually(serial, before);
    await says(
      /no certificate could be had \(www\.limelight\.test: .*could not resolve.*The next try is in 15 minutes/,
    );
    expect(await log()).toContain(`The one in use is for ${OWN} and good until `);
    expect(await serial()).toBe(before);
    expect(await notices()).toContainEqual(
      expect.objectContaining({
        code: "certificate",
        title: "A name of the site isn't reachable over HTTPS yet",
        message: expect.stringContaining(`${OTHER}: `),
      }),
    );
    await end();
    await pebble.resolves(OTHER, true);
    await start(`${OWN},${OTHER}`);
    await says(`for ${OWN}, ${OTHER} is in use`);
    expect(await names()).toEqual([OWN, OTHER]);
    expect(await notices()).not.toContainEqual(expect.objectContaining({ code: "certificate" }));
  });

  test("a first start has a certificate for the one that is; it is renewed in time, until one for both takes over", async () => {
    await authority({ seconds: 12 });
    await start(`${OWN},${OTHER}`);
    await says(`for ${OWN} is in use`);
    expect(await names()).toEqual([OWN]);
    const first = await serial();
    await eventually(async () => (await serial()) !== first, true, log);
    expect(await names()).toEqual([OWN]);
    await pebble.resolves(OTHER, true);
    await says(`for ${OWN}, ${OTHER} is in use`);
    expect(await names()).toEqual([OWN, OTHER]);
  });
});
