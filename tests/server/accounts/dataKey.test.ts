/** Secrets that a copied folder or backup doesn't reveal if the site has a data key (specification, section 6.8). */
import { afterAll, afterEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entities } from "../../../src/schema/index.ts";
import {
  computeTotpCode,
  decodeTotpSecret,
  computeTimeStep,
} from "../../../src/server/accounts/totp.ts";
import { CertificateStore } from "../../../src/server/cli/https/certificateStore.ts";
import { createDataKey } from "../../../src/server/shared/secrets.ts";
import { turnOnAuthenticator } from "../../support/authenticator.ts";
import { createSelfSignedCertificate } from "../../support/certificate.ts";
import { findFilesContaining } from "../../support/storedTexts.ts";
import { createSchemaName } from "../../support/createSchemaName.ts";
import {
  createDatabaseEnv,
  createSiteFolder,
  removeSiteFolder,
  runProgram,
  startProgram,
} from "../../support/program.ts";
import { OWNER, type Site, startSite } from "../../support/testSite.ts";

const createKey = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");
const folder = await mkdtemp(join(tmpdir(), "limelight-key-"));
afterAll(() => rm(folder, { recursive: true }));
let site: Site | undefined;
afterEach(async () => {
  await site?.stop();
  site = undefined;
});

const database = process.env["TEST_DATABASE_URL"];
const BASE_ENV = {
  DATA_DIR: join(folder, "data"),
  UPLOADS_DIR: join(folder, "uploads"),
  ...(database && { DATABASE_URL: `${database}?schema=${createSchemaName()}` }),
};

/** The time so far, and its part since this start: earlier codes no longer count. */
let [elapsedMs, startedAt] = [0, 0];

/** Starts the same site with other keys. */
async function start(keys?: string, owner = false): Promise<Site> {
  await site?.stop();
  startedAt = 0;
  return (site = await startSite({
    hasOwner: owner,
    env: { ...BASE_ENV, ...(keys && { DATA_KEY: keys }) },
  }));
}

const login = (secret: string, code?: string) => {
  elapsedMs += 30_000;
  site!.advance(elapsedMs - startedAt);
  startedAt = elapsedMs;
  const now = computeTotpCode(decodeTotpSecret(secret), computeTimeStep(Date.now() + elapsedMs));
  const { username, password } = OWNER;
  return site!.visitor().post("/api/auth/login", { username, password, code: code ?? now });
};

test("an authenticator app's secret is stored encrypted, and its codes still work after the data key changes", async () => {
  await start(undefined, true);
  const owner = await site!.logInAsOwner();
  const { secret, recoveryCodes } = await turnOnAuthenticator(site!, owner);
  const [recovery, another] = recoveryCodes;
  if (!database) expect(await findFilesContaining(folder, secret)).not.toEqual([]);

  const [one, other] = [createKey(), createKey()];
  await start(one);
  expect(await findFilesContaining(folder, secret)).toEqual([]);
  expect(site!.readStored()).not.toContain(secret);
  // The key that signed the sessions still signs them.
  const before = { cookie: owner.cookies() };
  expect((await site!.visitor().get("/api/auth/me", before)).status).toBe(200);
  expect((await login(secret)).status).toBe(200);

  await start(`${other},${one}`);
  expect((await login(secret)).status).toBe(200);
  await start(other);
  expect((await login(secret)).status).toBe(200);

  // Without the key only a recovery code lets someone in.
  if (!database) {
    await rm(join(BASE_ENV.DATA_DIR, "secret"));
    await start(one);
    expect(site!.log).toContainEqual(
      expect.stringContaining("DATA_KEY can't decrypt the authenticator secrets of 1 account."),
    );
    expect(await login(secret)).toMatchObject({
      status: 401,
      body: { error: expect.stringContaining("can't check authenticator codes") },
    });
    expect((await login(secret, recovery!)).status).toBe(200);
    await rm(join(BASE_ENV.DATA_DIR, "secret"));
  }
  await start(`off,${other}`);
  expect(site!.readStored()).toContain(secret);
  expect((await login(secret, another!)).status).toBe(200);
});

test("an authenticator app's secret is stored encrypted from the start if a data key is set", async () => {
  site = await startSite({ env: { DATA_KEY: createKey() } });
  await turnOnAuthenticator(site, await site.logInAsOwner());
  expect(site.store.of(entities.users).read().value[0]!.totp!.secret).toMatch(/^sealed:/);
});

test("the keys for mailed links and reports are stored encrypted, and survive a change of the data key", async () => {
  await start();
  const settings = () => site!.store.of(entities.letterSettings).read().value;
  const { linkSecret, reportKey } = settings();
  const inUse = () => [site!.mail.linkKeys.getLinkSecret(), site!.mail.linkKeys.getReportKey()];
  const sealed = [expect.stringMatching(/^sealed:/), expect.stringMatching(/^sealed:/)];
  const stored = () => [settings().linkSecret, settings().reportKey];
  expect(inUse()).toEqual([linkSecret, reportKey]);

  const [one, other, lost] = [createKey(), createKey(), createKey()];
  await start(one);
  expect(stored()).toEqual(sealed);
  for (const key of [linkSecret, reportKey])
    expect(await findFilesContaining(folder, key)).toEqual([]);
  expect(inUse()).toEqual([linkSecret, reportKey]);
  await start(`${other},${one}`);
  await start(other);
  expect(inUse()).toEqual([linkSecret, reportKey]);
  await start(`off,${other}`);
  expect(stored()).toEqual([linkSecret, reportKey]);

  // The state after restoring a backup that was sealed with a key that this site lacks.
  const purpose = ["linkSecret", "reportKey"] as const;
  const foreign = purpose.map((name) => createDataKey([lost]).seal(settings()[name], name));
  await site!.store.of(entities.letterSettings).update((value) => ({
    ...value,
    linkSecret: foreign[0]!,
    reportKey: foreign[1]!,
  }));
  await start(`off,${other}`);
  expect(site!.log).toContainEqual(expect.stringContaining("so new ones were created"));
  const [made] = inUse();
  expect([linkSecret, ""]).not.toContain(made!);
});

test("the private keys of certificates and their account are stored encrypted, and replaced if no data key decrypts them", async () => {
  const certificates = join(folder, "certificates");
  const [one, other] = [createKey(), createKey()];
  const storeWith = (...keys: string[]) => new CertificateStore(certificates, createDataKey(keys));
  const accountOf = (store: CertificateStore, created: string) =>
    store.getOrCreateAccountKey("https://authority.example", async () => created);
  const certificate = await createSelfSignedCertificate(90, "a.example");
  expect(await accountOf(storeWith(), "PRIVATE KEY of the account")).toBe(
    "PRIVATE KEY of the account",
  );
  await storeWith().writeCertificate(certificate);
  expect(await findFilesContaining(folder, "PRIVATE KEY")).toHaveLength(2);
  await storeWith(one).resealAll(["a.example"]);
  expect(await findFilesContaining(folder, "PRIVATE KEY")).toEqual([]);
  expect(await accountOf(storeWith(one), "another")).toBe("PRIVATE KEY of the account");
  expect(await storeWith(one).readCertificate("a.example")).toEqual(certificate);
  expect(await storeWith(one).readCertificate("b.example")).toBeUndefined();
  expect(await storeWith(other).readCertificate("a.example")).toBeUndefined();
  expect(await accountOf(storeWith(other), "another")).toBe("another");
});

test("the program reads the data key from a credential file, and refuses to start if the key is missing", async () => {
  const siteFolder = await createSiteFolder();
  try {
    await Bun.write(join(siteFolder.folder, "credentials", "DATA_KEY"), `${createKey()}\n`);
    const env = { CREDENTIALS_DIRECTORY: join(siteFolder.folder, "credentials") };
    const started = await startProgram({ folder: siteFolder.folder, env });
    await started.stop();
    const bare = createDatabaseEnv(siteFolder);
    const wrong = { ...bare, DATA_KEY: createKey() };

    const without = await runProgram(siteFolder, ["serve"], "", bare);
    expect([without.code, without.error]).toEqual([
      2,
      expect.stringMatching(
        /The secret of .* is encrypted, and DATA_KEY can't decrypt it\. Start with/,
      ),
    ]);
    const examined = await runProgram(siteFolder, ["doctor"], "", bare);
    expect([examined.code, examined.out]).toEqual([
      0,
      expect.stringContaining("DATA_KEY isn't set for this command"),
    ]);
    const other = await runProgram(siteFolder, ["doctor"], "", wrong);
    expect([other.code, other.out]).toEqual([1, expect.stringContaining("with a key other than")]);
    // Resetting a forgotten password in a shell needs no key.
    const reset = { ...bare, ADMIN_USERNAME: OWNER.username, ADMIN_PASSWORD: OWNER.password };
    expect((await runProgram(siteFolder, ["admin", "reset-password"], "", reset)).code).toBe(0);
    await (await startProgram({ folder: siteFolder.folder, env })).stop();
  } finally {
    await removeSiteFolder(siteFolder);
  }
});
