/** What becomes of a certificate that was had, and that nothing can be listened for with (specification, section 1.4). */
import { afterEach, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { X509Certificate } from "node:crypto";
import { join } from "node:path";
import { connect } from "node:tls";
import {
  type Certificate,
  certificateStore,
  writeCertificate,
} from "../../../src/server/cli/https/certificateStore.ts";
import { type HttpsServer, serveHttps } from "../../../src/server/cli/https/serveHttps.ts";
import { readConfig } from "../../../src/server/shared/config.ts";
import { dataKeyOf } from "../../../src/server/shared/dataKey.ts";
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

/** Serves with the stored certificate, if any; the authority issues the other one at once. */
async function serving(port: number, issued: Certificate, stored?: Certificate) {
  folder = await newSiteFolder();
  const certificates = join(folder.folder, "certificates");
  if (stored) await writeCertificate(certificateStore(certificates, dataKeyOf()), stored);
  const { config } = readConfig([], {
    DATA_DIR: folder.dataDir,
    UPLOADS_DIR: folder.uploadsDir,
    CERTIFICATES_DIR: certificates,
    DOMAIN: "a.test",
    HOST: "127.0.0.1",
    PORT: String(port),
    HTTP_PORT: "0",
  });
  const log: string[] = [];
  const problems: (string | undefined)[] = [];
  server = await serveHttps(new Elysia().get("/", "here"), config, {
    order: async () => issued,
    log: (line) => void log.push(line),
    report: (problem) => void problems.push(problem?.title),
  });
  return { log, problems };
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

const serialOf = ({ chain }: Certificate) => new X509Certificate(chain).serialNumber;

test("a first certificate that can't be used while the port is taken is reported, and used once it is free", async () => {
  // One that the system gives to nobody else once it is free.
  const port = freePort();
  const other = Bun.serve({ hostname: "127.0.0.1", port, fetch: () => new Response("other") });
  const certificate = await selfSigned(90);
  const { log, problems } = await serving(port, certificate);
  await eventually(() => log.length, 1);
  expect(log[0]).toBe(
    `HTTPS: there is a certificate, but the site can't listen on port ${port} with it. Until then, the site can't be reached. Check whether another program uses that port. Limelight keeps trying.`,
  );
  await other.stop(true);
  await eventually(() => shown(port), serialOf(certificate));
  // However often it was tried.
  expect(log.slice(1)).toEqual(["HTTPS: now using a certificate for a.test."]);
  expect(problems).toEqual(["The new certificate isn't in use", undefined]);
});

test("a renewed certificate that can't be used leaves the previous one in use", async () => {
  const port = freePort();
  const [previous, broken] = await Promise.all([1, 2].map(() => selfSigned(90)));
  const rest = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
  // The previous one is for another name besides, so a new one is ordered at once.
  const stored = { ...previous!, domains: ["a.test", "b.test"] };
  const issued = { ...broken!, chain: broken!.chain + rest };
  const { log, problems } = await serving(port, issued, stored);
  await eventually(() => problems, ["The new certificate isn't in use"]);
  expect(log).toEqual([
    expect.stringMatching(
      / The current one is for a\.test, b\.test and expires on .* keeps trying\.$/,
    ),
  ]);
  expect(await shown(port)).toBe(serialOf(previous!));
});
