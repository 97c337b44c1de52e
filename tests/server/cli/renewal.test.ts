/** A port in use, and a certificate that can't be used (specification, section 1.4). */
import { afterEach, expect, setSystemTime, test } from "bun:test";
import { Elysia } from "elysia";
import { X509Certificate } from "node:crypto";
import { join } from "node:path";
import { connect } from "node:tls";
import {
  type Certificate,
  CertificateStore,
} from "../../../src/server/cli/https/certificateStore.ts";
import { type HttpsServer, serveHttps } from "../../../src/server/cli/https/serveHttps.ts";
import { HOUR } from "../../../src/server/shared/time.ts";
import { readConfig } from "../../../src/server/shared/config.ts";
import { dataKeyOf } from "../../../src/server/shared/dataKey.ts";
import { selfSigned } from "../../support/certificate.ts";
import { freePort } from "../../support/ports.ts";
import { newSiteFolder, removeFolder, type SiteFolder } from "../../support/program.ts";
import { eventually } from "../../support/waits.ts";

let folder: SiteFolder | undefined;
let server: HttpsServer | undefined;
afterEach(async () => {
  setSystemTime();
  await server?.stop(true);
  if (folder) await removeFolder(folder);
  server = folder = undefined;
});

/** Serves with the stored certificate, if any; the authority issues the other one at once. */
async function serving(port: number, issued: Certificate, stored?: Certificate) {
  folder = await newSiteFolder();
  const certificates = join(folder.folder, "certificates");
  if (stored) await new CertificateStore(certificates, dataKeyOf()).write(stored);
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

/** The serial number of the served certificate; undefined if nothing listens. */
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

test("a port that is taken refuses the start, before a certificate is ordered", async () => {
  const other = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("other") });
  await expect(serving(other.port!, await selfSigned(90))).rejects.toThrow("port");
  await other.stop(true);
});

test("a renewed certificate that can't be used leaves the previous one in use", async () => {
  const port = freePort();
  // The first is so old that its renewal is due, the second has an incomplete chain.
  const [previous, broken] = await Promise.all([1, 90].map((days) => selfSigned(days)));
  const rest = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
  setSystemTime(Date.now() + 20 * HOUR);
  const { log, problems } = await serving(
    port,
    { ...broken!, chain: broken!.chain + rest },
    previous,
  );
  await eventually(() => problems, ["The certificate couldn't be renewed"]);
  expect(log).toEqual([
    expect.stringMatching(
      / The current one is for a\.test and expires on .* Next attempt in 15 minutes\.$/,
    ),
  ]);
  expect(await shown(port)).toBe(serialOf(previous!));
});
