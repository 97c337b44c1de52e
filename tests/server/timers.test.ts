/** A site's periodic jobs end with it, since a restore opens the site again in the same process. */
import { expect, spyOn, test } from "bun:test";
import { join } from "node:path";
import { createDataKey } from "../../src/server/shared/secrets.ts";
import { CertificateStore } from "../../src/server/cli/https/certificateStore.ts";
import { openAndServe } from "../../src/server/cli/serve.ts";
import { readConfig } from "../../src/server/shared/config.ts";
import { createSelfSignedCertificate } from "../support/certificate.ts";
import {
  createDatabaseEnv,
  createSiteFolder,
  removeSiteFolder,
  type SiteFolder,
} from "../support/program.ts";

/** Longer timers belong to periodic jobs. */
const MAX_TIMER_MS = 10_000;
/** Elysia empties a cache once for all sites, about five minutes after the last route was made. */
const ELYSIA_TIMER_MS = 295_000;

/** The settings of a site, by how it listens. */
const LISTENERS: Readonly<Record<string, (site: SiteFolder) => Promise<Record<string, string>>>> = {
  "over plain HTTP": async () => ({}),
  "over HTTPS": async ({ folder }) => {
    const certificates = join(folder, "certificates");
    const certificate = await createSelfSignedCertificate(90);
    await new CertificateStore(certificates, createDataKey()).writeCertificate(certificate);
    // This certificate is valid for two months, so no other is ordered.
    return { DOMAIN: certificate.domain, CERTIFICATES_DIR: certificates, HTTP_PORT: "0" };
  },
};

test.each(Object.entries(LISTENERS))(
  "a stopped site that listened %s leaves no timer behind",
  async (_, settingsOf) => {
    const folder = await createSiteFolder();
    const folders = { DATA_DIR: folder.dataDir, UPLOADS_DIR: folder.uploadsDir };
    const env = { ...folders, ...createDatabaseEnv(folder), HOST: "127.0.0.1", PORT: "0" };
    const { config } = readConfig([], { ...env, ...(await settingsOf(folder)) });
    const faults: unknown[] = [];
    const [ignore, report] = [() => {}, (fault: unknown) => void faults.push(fault)];
    const repeated = spyOn(globalThis, "setInterval");
    const delayed = spyOn(globalThis, "setTimeout");
    const cleared = [spyOn(globalThis, "clearInterval"), spyOn(globalThis, "clearTimeout")];
    try {
      const logs = { print: ignore, logLine: ignore, logRequest: ignore, report };
      const site = await openAndServe(config, logs, () => {});
      await site.stop();
      const begun = [repeated, delayed].flatMap(({ mock }) =>
        mock.calls.flatMap(([, ms], at) => {
          const timer = mock.results[at]!.value as unknown;
          return (ms ?? 0) >= MAX_TIMER_MS && ms !== ELYSIA_TIMER_MS ? [{ ms, timer }] : [];
        }),
      );
      const ended = new Set(cleared.flatMap(({ mock }) => mock.calls.map(([timer]) => timer)));
      // The bin's purge, notices, midnight, mail, letters, backups, old IP addresses.
      expect(begun.length).toBeGreaterThanOrEqual(7);
      expect(begun.filter(({ timer }) => !ended.has(timer as never))).toEqual([]);
      expect(faults).toEqual([]);
    } finally {
      for (const each of [repeated, delayed, ...cleared]) each.mockRestore();
      await removeSiteFolder(folder);
    }
  },
);
