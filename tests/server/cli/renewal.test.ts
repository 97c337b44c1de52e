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
import { CertificateRenewal } from "../../../src/server/cli/https/renewal.ts";
import { serveHttps, type StoppableServer } from "../../../src/server/cli/https/serveHttps.ts";
import { OrderError } from "../../../src/server/cli/https/orderCertificate.ts";
import { HOUR } from "../../../src/server/shared/time.ts";
import { readConfig } from "../../../src/server/shared/config.ts";
import { createDataKey } from "../../../src/server/shared/secrets.ts";
import { createSelfSignedCertificate } from "../../support/certificate.ts";
import { findFreePort } from "../../support/ports.ts";
import { createSiteFolder, removeSiteFolder, type SiteFolder } from "../../support/program.ts";
import { waitForValue } from "../../support/waits.ts";

let folder: SiteFolder | undefined;
let server: StoppableServer | undefined;
afterEach(async () => {
  setSystemTime();
  await server?.stop(true);
  if (folder) await removeSiteFolder(folder);
  server = folder = undefined;
});

/** Serves with the certificate `stored`, if any; the authority issues `issue` at once. */
async function startServing(
  port: number,
  issue: Certificate | ((domain: string) => Promise<Certificate>),
  stored?: Certificate,
  domains = "a.test",
) {
  folder ??= await createSiteFolder();
  const certificates = join(folder.folder, "certificates");
  if (stored) await new CertificateStore(certificates, createDataKey()).writeCertificate(stored);
  const { config } = readConfig([], {
    DATA_DIR: folder.dataDir,
    UPLOADS_DIR: folder.uploadsDir,
    CERTIFICATES_DIR: certificates,
    DOMAIN: domains,
    HOST: "127.0.0.1",
    PORT: String(port),
    HTTP_PORT: "0",
  });
  const log: string[] = [];
  const problems: (string | undefined)[] = [];
  server = await serveHttps(new Elysia().get("/", "here"), config, {
    order: async ({ domain }) => (typeof issue === "function" ? issue(domain) : issue),
    log: (line) => void log.push(line),
    reportProblem: (problem) => void problems.push(problem?.title),
  });
  return { log, problems };
}

test("a request to a site's second domain name redirects to the first, in any spelling of the Host header", async () => {
  const port = findFreePort();
  const certificate = await createSelfSignedCertificate(60);
  // The other name never gets a certificate, since a new listener would refuse connections for a moment.
  const issueNever = () => new Promise<Certificate>(() => {});
  await startServing(port, issueNever, certificate, "a.test,www.a.test");
  const locationFor = async (host: string) => {
    const options = { redirect: "manual", tls: { rejectUnauthorized: false } } as const;
    const { status, headers } = await fetch(`https://127.0.0.1:${port}/dates?x=1`, {
      ...options,
      headers: { host },
    });
    return [status, headers.get("location")];
  };
  const other = [
    "www.a.test",
    `WWW.A.test:${port}`,
    "www.a.test.",
    "www.a.test.:443",
    "www.a.test:",
  ];
  for (const host of other)
    expect([host, ...(await locationFor(host))]).toEqual([host, 308, "https://a.test/dates?x=1"]);
  for (const host of ["a.test", "a.test."]) expect((await locationFor(host))[0]).toBe(404);
});

/** The serial number of the served certificate; undefined if nothing listens. */
const readServedSerial = (port: number) =>
  new Promise<string | undefined>((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false });
    socket.once("secureConnect", () => {
      resolve(socket.getPeerX509Certificate()?.serialNumber);
      socket.destroy();
    });
    socket.once("error", () => resolve(undefined));
  });

const readSerial = ({ chain }: Certificate) => new X509Certificate(chain).serialNumber;

test("a start on a port in use is refused", async () => {
  const other = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("other") });
  await expect(startServing(other.port!, await createSelfSignedCertificate(90))).rejects.toThrow(
    "port",
  );
  await other.stop(true);
});

test("a renewed certificate that can't be used leaves the previous one in use, and the next order waits a day", async () => {
  const port = findFreePort();
  // The first is so old that its renewal is due, the second has an incomplete chain.
  const [previous, broken] = await Promise.all(
    [1, 90].map((days) => createSelfSignedCertificate(days)),
  );
  const rest = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
  setSystemTime(Date.now() + 20 * HOUR);
  const { log, problems } = await startServing(
    port,
    { ...broken!, chain: broken!.chain + rest },
    previous,
  );
  await waitForValue(() => problems, ["The certificate couldn't be renewed"]);
  expect(log).toEqual([
    expect.stringMatching(
      /can't use the certificate that was issued\)\. The current certificate is for a\.test and expires on .* Next attempt in 1440 minutes\.$/,
    ),
  ]);
  expect(await readServedSerial(port)).toBe(readSerial(previous!));
  // A restart doesn't order another one either.
  await server!.stop(true);
  const again = await startServing(port, await createSelfSignedCertificate(90));
  await waitForValue(() => again.problems, ["The certificate couldn't be renewed"]);
  expect(await readServedSerial(port)).toBe(readSerial(previous!));
  setSystemTime(Date.now() + 24 * HOUR);
  await server!.stop(true);
  const later = await startServing(port, await createSelfSignedCertificate(90));
  await waitForValue(() => later.problems, [undefined]);
});

test("a site that never had a certificate is reported as having none, not as a failed renewal", async () => {
  const failing = () => Promise.reject(new OrderError("not yet"));
  const { problems } = await startServing(findFreePort(), failing);
  await waitForValue(() => problems, ["The site has no certificate yet"]);
});

test("the log names the expiry of the certificate that expires first", async () => {
  folder = await createSiteFolder();
  const store = new CertificateStore(join(folder.folder, "certificates"), createDataKey());
  const [later, sooner, due] = await Promise.all(
    [90, 60, 1].map((days) => createSelfSignedCertificate(days)),
  );
  const log: string[] = [];
  setSystemTime(Date.now() + 20 * HOUR);
  const renewal = new CertificateRenewal(
    {
      store,
      directoryUrl: "https://127.0.0.1:1/dir",
      email: undefined,
      domains: ["a.test", "b.test", "c.test"],
      challenges: new Map<string, string>(),
      order: () => Promise.reject(new OrderError("not yet")),
      useCertificates() {},
      log: (line) => void log.push(line),
      reportProblem: () => {},
    },
    [
      { ...later!, domain: "a.test" },
      { ...sooner!, domain: "b.test" },
      { ...due!, domain: "c.test" },
    ],
  );
  const expiry = new Date(new X509Certificate(due!.chain).validTo).toISOString();
  await waitForValue(() => log.length, 1);
  expect(log[0]).toContain(
    `The current certificates are for a.test, b.test, c.test. The first of them expires on ${expiry}.`,
  );
  renewal.stop();
});

test("a delay that the authority sets for one domain name doesn't delay the order for another", async () => {
  const port = findFreePort();
  const issued = await createSelfSignedCertificate(90);
  let tries = 0;
  const { log, problems } = await startServing(
    port,
    async (domain) => {
      if (domain === "a.test") throw new OrderError("not yet", { waitMs: 5 * HOUR });
      if (++tries === 1) throw new OrderError("not here yet", {});
      return issued;
    },
    undefined,
    "a.test,b.test",
  );
  await waitForValue(() => problems.length, 1);
  expect(log).toEqual([
    expect.stringMatching(
      /\(a\.test: not yet; b\.test: not here yet\).* Next attempt in 15 minutes\.$/,
    ),
  ]);
});

test("an issued certificate that the listener couldn't use at first isn't ordered again", async () => {
  folder = await createSiteFolder();
  const store = new CertificateStore(join(folder.folder, "certificates"), createDataKey());
  const issued = await createSelfSignedCertificate(90);
  let [orders, listens] = [0, 0];
  const options = {
    store,
    directoryUrl: "https://127.0.0.1:1/dir",
    email: undefined,
    domains: ["a.test"],
    challenges: new Map<string, string>(),
    order: async () => (orders++, issued),
    useCertificates() {
      if (++listens === 1) throw new Error("EMFILE");
    },
    log: () => {},
    reportProblem: () => {},
  };
  for (const tried of [1, 2]) {
    const renewal = new CertificateRenewal(options, []);
    await waitForValue(async () => listens, tried);
    renewal.stop();
  }
  expect(orders).toBe(1);
});
