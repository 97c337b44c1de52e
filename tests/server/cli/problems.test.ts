/**
 * A site's problems are one list (shared/notice.ts): each appears in `/api/health`, `/metrics`, the dashboard's
 * notices and the doctor. One site of the program has them all here.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { createEngine } from "../../../src/server/cli/openSite.ts";
import { readConfig } from "../../../src/server/shared/config.ts";
import { PROBLEM_NAMES } from "../../../src/server/shared/notice.ts";
import { DAY } from "../../../src/server/shared/time.ts";
import { createSelfSignedCertificate } from "../../support/certificate.ts";
import { createHttpsSite, readNotices } from "../../support/httpsSite.ts";
import { addSample, runProgram } from "../../support/program.ts";
import { findFreePort } from "../../support/ports.ts";
import { OWNER_ENV } from "../../support/site.ts";
import { mountSmallDisk } from "../../support/smallDisk.ts";
import { waitForValue } from "../../support/waits.ts";

setDefaultTimeout(120_000);

const [MAIN_DOMAIN, OTHER] = ["limelight.test", "www.limelight.test"] as const;
/** Less than the 20 MB at which a disk is nearly full, but enough for the sample's pictures. */
const diskFolder = await mountSmallDisk(16);

type Env = Readonly<Record<string, string>>;

/** Adds an old backup, a mail password that can't be decrypted, and a certificate that lacks a name. */
async function damageSite(env: Env): Promise<void> {
  const { config } = readConfig([], env);
  const store = await createEngine(config).open({ entities: allEntities });
  await store.of(entities.mailSettings).update((settings) => ({
    ...settings,
    account: { kind: "smtp", host: "mail.example.com", port: 465, security: "tls", username: "a" },
    sealedSecret: "of another installation",
    fromAddress: "ada@example.com",
  }));
  const short = store.siteId.slice(0, 8);
  await store.close();
  await mkdir(config.backupDir);
  const id = new Date(Date.now() - 4 * DAY).toISOString().replace(/[:.]/g, "-");
  await writeFile(join(config.backupDir, `limelight-${short}-${id}.tar.gz`), "");
  await mkdir(config.certificatesDir);
  const certificate = await createSelfSignedCertificate(60, MAIN_DOMAIN);
  await writeFile(
    join(config.certificatesDir, `certificate-${MAIN_DOMAIN}.json`),
    JSON.stringify(certificate),
  );
}

/** Damages one picture, and fills the pictures' disk. */
async function damagePictures(folder: string): Promise<void> {
  const [first] = (await readdir(folder)).filter((name) => /\.(?:jpe?g|png|webp)$/.test(name));
  await truncate(join(folder, first!), 10);
  await Bun.spawn(["dd", "if=/dev/zero", `of=${join(folder, "left.tmp")}`, "bs=64k"], {
    stderr: "ignore",
  }).exited;
}

test.skipIf(diskFolder === undefined)(
  "each problem of a site is reported by health, metrics, the dashboard and doctor",
  async () => {
    const site = await createHttpsSite(MAIN_DOMAIN);
    const folders = { DATA_DIR: site.dataDir, UPLOADS_DIR: diskFolder! };
    const env = {
      ...folders,
      BACKUP_DIR: join(site.folder, "backups"),
      CERTIFICATES_DIR: join(site.folder, "certificates"),
      DOMAIN: `${MAIN_DOMAIN},${OTHER}`,
      // A certificate authority that can't be reached.
      ACME_DIRECTORY: `https://127.0.0.1:${findFreePort()}/dir`,
    };
    try {
      await addSample({ ...site, uploadsDir: diskFolder! });
      await damageSite(env);
      await damagePictures(diskFolder!);
      await site.start(
        env.DOMAIN,
        { directory: env.ACME_DIRECTORY, ca: "" },
        { ...OWNER_ENV, ...env },
      );
      const plain = `http://127.0.0.1:${site.http}`;
      const health = async () =>
        ((await (await fetch(`${plain}/api/health/attention`)).json()) as any).failing as {
          name: string;
          message: string;
        }[];
      const named = (problems: readonly { name: string }[] = []) =>
        [...new Set(problems.map(({ name }) => name))].toSorted();
      // The first check of pictures comes ten seconds after the start.
      await waitForValue(
        async () => named(await health().catch(() => [])),
        PROBLEM_NAMES.toSorted(),
        site.log,
      );
      const problems = await health();

      const metrics = await (await fetch(`${plain}/metrics`)).text();
      for (const name of PROBLEM_NAMES)
        expect(metrics).toContain(`limelight_problem{name="${name}"} 1\n`);

      const shown = new Set(
        (await readNotices(site.https, MAIN_DOMAIN)).map(({ message }) => message),
      );
      for (const { message } of problems) expect(shown).toContain(message);

      const served = { ...env, HOST: "127.0.0.1", HTTP_PORT: String(site.http) };
      const { out, code } = await runProgram(site, ["doctor", "--json"], "", served);
      expect(code).toBe(1);
      const { findings } = JSON.parse(out) as { findings: { ok: boolean; message: string }[] };
      const messages = findings.filter(({ ok }) => !ok).map(({ message }) => message);
      for (const { message } of problems) expect(messages).toContain(message);

      const elsewhere = { ...served, HTTP_PORT: String(findFreePort()) };
      const unasked = await runProgram(site, ["doctor"], "", elsewhere);
      expect(unasked.out).toContain(
        "doesn't respond, so the problems that the site itself reports aren't listed here.",
      );
    } finally {
      await site.remove();
    }
  },
);
