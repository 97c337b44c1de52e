/** What becomes of a certificate that was had, and that nothing can be listened for with (specification, section 1.4). */
import { afterEach, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { X509Certificate } from "node:crypto";
import { join } from "node:path";
import { connect } from "node:tls";
import {
  inFolder,
  keepCertificate,
  type KeptCertificate,
} from "../../../src/server/cli/https/keptCertificate.ts";
import { type HttpsServer, serveHttps } from "../../../src/server/cli/https/serveHttps.ts";
import { readConfig } from "../../../src/server/shared/config.ts";
import {
  type Instances,
  onlyInstance,
  type Payload,
} from "../../../src/server/shared/instances.ts";
import { selfSigned } from "../../support/certificate.ts";
import { freePort } from "../../support/ports.ts";
import { newSiteFolder, removeFolder, type SiteFolder } from "../../support/program.ts";
import { eventually } from "../../support/waits.ts";

let folder: SiteFolder | undefined;
let server: HttpsServer | undefined;
afterEach(async () => {
  await server?.stop(true);
  if (folder) await removeFolder(folder);
  server = folder = undefined;
});

/** Serves with what is kept, while another instance orders. `arrives`: that one has had a certificate. */
async function serving(port: number, kept?: KeptCertificate) {
  folder = await newSiteFolder();
  const place = inFolder(join(folder.folder, "certificates"));
  if (kept) await keepCertificate(place, kept);
  const { config } = readConfig([], {
    DATA_DIR: folder.dataDir,
    UPLOADS_DIR: folder.uploadsDir,
    CERTIFICATES_DIR: place.called,
    DOMAIN: "a.test",
    HOST: "127.0.0.1",
    PORT: String(port),
    HTTP_PORT: "0",
  });
  let notify: (said: Payload) => void = () => {};
  const instances: Instances = {
    ...onlyInstance,
    alone: async () => undefined,
    subscribe: (_, listener) => void (notify = listener),
  };
  const log: string[] = [];
  const troubles: (string | undefined)[] = [];
  server = await serveHttps(new Elysia().get("/", "here"), config, {
    instances,
    log: (line) => void log.push(line),
    trouble: (trouble) => void troubles.push(trouble?.title),
  });
  return {
    log,
    troubles,
    async arrives(certificate: KeptCertificate) {
      await keepCertificate(place, certificate);
      notify(["new"]);
    },
  };
}

/** The serial number of the certificate that is listened with; undefined where nothing listens. */
const shown = (port: number) =>
  new Promise<string | undefined>((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false });
    socket.once("secureConnect", () => {
      resolve(socket.getPeerX509Certificate()?.serialNumber);
      socket.destroy();
    });
    socket.once("error", () => resolve(undefined));
  });

const serialOf = ({ chain }: KeptCertificate) => new X509Certificate(chain).serialNumber;

test("a first certificate that can't be listened with is told, and used once the port is free", async () => {
  // One that the system gives to nobody else once it is free.
  const port = freePort();
  const other = Bun.serve({ hostname: "127.0.0.1", port, fetch: () => new Response("other") });
  const { log, troubles, arrives } = await serving(port);
  const certificate = await selfSigned(90);
  await arrives(certificate);
  await eventually(() => log.length, 1);
  expect(log[0]).toBe(
    `HTTPS: there is a certificate, but port ${port} can't be listened on with it (Failed to start server. Is port ${port} in use?). Until it can, the site can't be reached: see whether another program holds that port. Limelight keeps trying.`,
  );
  await other.stop(true);
  await eventually(() => shown(port), serialOf(certificate));
  // However often it was tried.
  expect(log.slice(1)).toEqual(["HTTPS: a certificate for a.test is in use."]);
  expect(troubles).toEqual(["The new certificate isn't in use", undefined]);
});

test("one that can't be listened with leaves the one of before in use", async () => {
  const port = freePort();
  const [before, broken, good] = await Promise.all([1, 2, 3].map(() => selfSigned(90)));
  const { log, troubles, arrives } = await serving(port, before);
  const rest = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
  await arrives({ ...broken!, chain: broken!.chain + rest });
  await eventually(() => troubles, ["The new certificate isn't in use"]);
  expect(log).toEqual([
    expect.stringMatching(/ The one in use is for a\.test and good until .* keeps trying\.$/),
  ]);
  expect(await shown(port)).toBe(serialOf(before!));
  await arrives(good!);
  await eventually(() => troubles.length, 2);
  expect(await shown(port)).toBe(serialOf(good!));
});
