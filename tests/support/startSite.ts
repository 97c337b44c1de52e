/** Starts the real application on a free port, over a real data folder that is deleted afterwards. */
import type { AnyElysia } from "elysia";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allEntities, entities } from "../../src/schema/index.ts";
import type { Role } from "../../src/schema/core/roles.ts";
import { createUser } from "../../src/server/accounts/users.ts";
import { createPasswords } from "../../src/server/accounts/passwords.ts";
import { createSetupLink, type SetupLink } from "../../src/server/accounts/setup.ts";
import { BackupScheduler } from "../../src/server/backup/repository/backupScheduler.ts";
import { type AppContext, type AppOptions, createApp } from "../../src/server/app.ts";
import { LISTEN_OPTIONS } from "../../src/server/http/listenOptions.ts";
import {
  type NewsletterServices,
  openNewsletter,
} from "../../src/server/newsletter/openNewsletter.ts";
import { createPasswordLinks } from "../../src/server/accounts/passwordReset.ts";
import { type Messaging, openMessaging } from "../../src/server/messaging.ts";
import { loadWebBuild } from "../../src/server/pages/webBuild.ts";
import { type Config, readConfig } from "../../src/server/shared/config.ts";
import { createDataKey } from "../../src/server/shared/secrets.ts";
import type { Disk } from "../../src/server/storage/disk/disk.ts";
import { createEngine, createPictureStorage } from "../../src/server/cli/openSite.ts";
import { Bin } from "../../src/server/bin/bin.ts";
import { openStore } from "../../src/server/storage/files/openStore.ts";
import type { Store } from "../../src/server/storage/store.ts";
import { readListedOriginals, openUploadFiles } from "../../src/server/uploads/uploadFiles.ts";
import { createScanner } from "../../src/server/uploads/scanner.ts";
import { UploadLibrary } from "../../src/server/uploads/uploadLibrary.ts";
import { Client } from "./client.ts";
import { createSchemaName } from "./createSchemaName.ts";
import { findFreePort } from "./ports.ts";
import { addSample, getProgramPath, toSiteFolder } from "./program.ts";
import { createCallers, OWNER, type RunningSite } from "./site.ts";

/** A site that runs in this process. */
export interface Site extends RunningSite {
  readonly app: AnyElysia;
  /** The services that the site's capabilities share. */
  readonly context: AppContext;
  readonly store: Store;
  readonly bin: Bin;
  readonly audit: AppContext["audit"];
  readonly letters: NewsletterServices;
  readonly mail: Messaging;
  readonly config: Config;
  /** The application's log lines. */
  readonly log: string[];
  readonly reportedErrors: unknown[];
  /** The ids of requests that failed. */
  readonly failedRequestIds: (string | undefined)[];
  readonly setup: SetupLink | undefined;
  /** Advances the clock. */
  advance(ms: number): void;
  /** Returns by how much the clock was advanced, in milliseconds. */
  readOffset(): number;
  /** Advances the clock, but not the trusted clock. */
  setUntrustedOffset(ms: number): void;
  /** Stops the clock: from now on only `advance` moves it. For waits that a busy machine would exceed. */
  stopClock(): void;
  /** Permanently deletes what is due in the bin, as the program does every minute. */
  sweep(): Promise<void>;
  /** Resolves when the audit log has been written, for which no request waits. */
  waitForAuditLog(): Promise<void>;
  /** Logs in as a new person with this role. */
  logInAs(role: Role): Promise<Client>;
  /** Returns all stored content, for checking that nothing has changed. */
  readStored(): string;
}

export interface SiteOptions {
  /** Settings by the name of their variable. */
  readonly env?: Record<string, string>;
  /** Default: a free port. Set it if SITE_URL has to contain it. */
  readonly port?: number;
  /** Whether SITE_URL is the site's address, so that pages and messages have full URLs. */
  readonly hasAddress?: boolean;
  /** Whether there is an owner, `OWNER`. Default: true. Without an owner, the setup is open. */
  readonly hasOwner?: boolean;
  /** Whether the site has the content of `limelight demo`. */
  readonly hasSample?: boolean;
  readonly plugins?: (context: AppContext) => readonly AnyElysia[];
  /** Default: the real disk. */
  readonly disk?: Disk;
  /** Whether the built program makes the backups, rather than the source. */
  readonly hasBuiltBackups?: boolean;
}

/** The lowest cost of a password's hash. Most tests log in, and the default cost would take 0.05 s each time. */
const MIN_HASH_COST = { memoryCost: 64, timeCost: 1 };

/** Starts the site. The caller must stop it. If `TEST_DATABASE_URL` is set, the site is in that database. */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), "limelight-"));
  const database = process.env["TEST_DATABASE_URL"];
  const hasDatabaseUrl = options.env?.["DATABASE_URL"] !== undefined;
  const env = {
    DATA_DIR: join(folder, "data"),
    UPLOADS_DIR: join(folder, "uploads"),
    ...(database &&
      !hasDatabaseUrl &&
      !options.disk && { DATABASE_URL: `${database}?schema=${createSchemaName()}` }),
  };
  if (options.hasSample) await addSample(toSiteFolder(folder), database && env);
  const { hasAddress, port = hasAddress ? findFreePort() : 0 } = options;
  const address = hasAddress && { SITE_URL: `http://127.0.0.1:${port}` };
  const { config } = readConfig([], { ...env, ...address, ...options.env });
  const dataKey = createDataKey(config.dataKey);
  const openOptions = { entities: allEntities, log: () => {}, dataKey };
  const store = await (options.disk
    ? openStore({ ...openOptions, directory: config.dataDir, disk: options.disk })
    : createEngine(config).open(openOptions));
  const testClock = createTestClock();
  const log: string[] = [];
  const logLine = (line: string) => void log.push(line);
  const reportedErrors: unknown[] = [];
  const failedRequestIds: (string | undefined)[] = [];
  const setup = await createSetupLink(store, testClock.clock, config.siteUrl);
  let appContext: AppContext | undefined;
  const bin = new Bin(store, testClock.clock);
  const files = await openUploadFiles(
    createPictureStorage(config),
    await readListedOriginals(store),
  );
  const uploads = store.of(entities.uploads);
  const scan = config.clamd && createScanner(config.clamd, logLine);
  const library = new UploadLibrary({
    files,
    document: uploads,
    bin,
    scanFile: scan,
    clock: testClock.clock,
  });
  let nextPersonNumber = 1;
  const passwordLinks = createPasswordLinks(store, await store.readSecret(), testClock.clock);
  const mail = await openMessaging({
    store,
    config,
    ...testClock.clocks,
    log: logLine,
    passwordLinks,
  });
  const letters = await openNewsletter({ store, bin, ...testClock.clocks, log: logLine, mail });
  const appOptions: AppOptions = {
    engine: createEngine(config),
    pictures: createPictureStorage(config),
    mail,
    letters,
    store,
    bin,
    config,
    library,
    build: await loadWebBuild(),
    clock: testClock.clock,
    setup,
    ...(options.hasBuiltBackups && {
      backups: new BackupScheduler({
        store,
        config,
        clock: testClock.clock,
        log: logLine,
        command: [getProgramPath()],
      }),
    }),
    passwords: createPasswords(MIN_HASH_COST),
    log: logLine,
    reportError(error, id) {
      reportedErrors.push(error);
      failedRequestIds.push(id);
    },
    plugins: (context) => {
      appContext = context;
      return options.plugins?.(context) ?? [];
    },
  };
  const { app, audit, stop: stopApp } = await createApp(appOptions);
  if (options.hasOwner !== false) await createUser(appContext!, OWNER);
  app.listen({ ...LISTEN_OPTIONS, hostname: "127.0.0.1", port });
  const url = `http://127.0.0.1:${app.server!.port}`;
  return {
    url,
    app,
    context: appContext!,
    store,
    bin,
    audit,
    letters,
    mail,
    config,
    dataDir: config.dataDir,
    uploadsDir: config.uploadsDir,
    log,
    reportedErrors,
    failedRequestIds,
    setup,
    advance: testClock.advance,
    readOffset: testClock.readOffset,
    setUntrustedOffset: testClock.setUntrusted,
    stopClock: testClock.stop,
    sweep: () => appContext!.sweep(),
    ...createCallers(url),
    waitForAuditLog: () => audit.whenFlushed(),
    async logInAs(role) {
      const username = `${role}-${nextPersonNumber++}`;
      const person = { username, email: `${username}@example.com`, password: OWNER.password };
      await createUser(appContext!, person, { role });
      const client = new Client(url);
      await client.post("/api/auth/login", { username, password: OWNER.password });
      return client;
    },
    readStored: () => serializeDocuments(store),
    async stop() {
      await app.stop(true);
      await stopApp();
      await letters.stop();
      await mail.stop();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Creates a clock that a test can advance, and that otherwise runs until it is stopped. */
function createTestClock() {
  let offset = 0;
  let untrustedOffset = 0;
  let stoppedAt: number | undefined;
  const trustedClock = () => (stoppedAt ?? Date.now()) + offset;
  const clock = () => trustedClock() + untrustedOffset;
  return {
    clock,
    clocks: { clock, trustedClock },
    setUntrusted: (ms: number) => void (untrustedOffset = ms),
    advance: (ms: number) => void (offset += ms),
    readOffset: () => offset,
    stop: () => void (stoppedAt ??= Date.now()),
  };
}

/** Returns all documents except sessions, which change with every login. */
function serializeDocuments(store: Store): string {
  const documents = allEntities.filter((entity) => entity.shape !== "records");
  return JSON.stringify(
    documents
      .filter((entity) => entity !== entities.sessions)
      .map((entity) => [entity.name, store.of(entity).read()]),
  );
}
