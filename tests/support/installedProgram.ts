/** The built program as installed on a server, with a site, for tests of upgrades. */
import { chmod, link, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createDataKey } from "../../src/server/shared/secrets.ts";
import { CertificateStore } from "../../src/server/cli/https/certificateStore.ts";
import type { Engine } from "../../src/server/storage/engine.ts";
import { createFolderEngine } from "../../src/server/storage/files/folderEngine.ts";
import { createSelfSignedCertificate } from "./certificate.ts";
import { findFreePort } from "./ports.ts";
import {
  createSiteFolder,
  collectOutput,
  getProgramPath,
  removeSiteFolder,
  type SiteFolder,
} from "./program.ts";
import { createSecretKey, writeSignature } from "./signing.ts";
import { OWNER_ENV } from "./site.ts";
import { waitForValue } from "./waits.ts";

/** A command's exit code and output. */
export interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** Runs a test with an installed program, and removes it with all its processes. */
export async function withInstalledProgram(run: (installed: InstalledProgram) => Promise<void>) {
  // The folder is on the built program's disk, so that the copy can be a hard link.
  const folder = await mkdtemp(join(dirname(getProgramPath()), "installed-"));
  const installed = new InstalledProgram(folder, await createSiteFolder());
  try {
    await installed.install();
    await run(installed);
  } finally {
    await installed.remove();
  }
}

export class InstalledProgram {
  readonly secretKey = createSecretKey();
  readonly path: string;
  /** The site's backups, outside of their default folder. */
  readonly backupFolder: string;
  port = findFreePort();
  /** Seconds within which a new program has to be healthy, on a busy machine. */
  timeoutSeconds = 20;
  readonly #data: Engine;
  /**
   * A hard link to the built program. Newer programs call this link, so that an upgrade of the link would show only
   * here.
   */
  readonly #realProgram: string;
  #supervisor: Bun.Subprocess | undefined;
  /** Further settings of the program. */
  #extraEnv: Readonly<Record<string, string>> = {};

  /** `folder` must be on the built program's disk. */
  constructor(
    readonly folder: string,
    readonly site: SiteFolder,
  ) {
    this.path = join(folder, "bin/limelight");
    this.#realProgram = join(folder, "real");
    this.backupFolder = join(site.folder, "kept", "backups");
    this.#data = createFolderEngine(site.dataDir);
  }

  /** Puts the program alone in its folder, like an installation. */
  async install(): Promise<void> {
    await rm(join(this.folder, "bin"), { recursive: true, force: true });
    await mkdir(join(this.folder, "bin"));
    await link(getProgramPath(), this.path);
    await link(getProgramPath(), this.#realProgram).catch(() => {});
  }

  async remove(): Promise<void> {
    await this.endSupervisor();
    for (const pid of await this.#data.findLockHolders()) process.kill(Number(pid), "SIGKILL");
    await removeSiteFolder(this.site);
    await rm(this.folder, { recursive: true });
  }

  /** Makes the site serve HTTPS itself from its next start on, with a self-signed certificate. */
  async serveHttps(): Promise<void> {
    const certificates = join(this.site.folder, "certificates");
    const certificate = await createSelfSignedCertificate(90);
    await new CertificateStore(certificates, createDataKey()).writeCertificate(certificate);
    this.#extraEnv = { DOMAIN: certificate.domain, CERTIFICATES_DIR: certificates, HTTP_PORT: "0" };
  }

  /** The site's address. */
  get address(): string {
    return `${this.#extraEnv["DOMAIN"] ? "https" : "http"}://127.0.0.1:${this.port}`;
  }

  isHealthy = () =>
    fetch(`${this.address}/api/health`, { tls: { rejectUnauthorized: false } }).then(
      ({ ok }) => ok,
      () => false,
    );

  /** Returns the stored hero, as a visitor gets it. */
  readHero = async () => (await fetch(`http://127.0.0.1:${this.port}/api/hero`)).json();

  /** Returns the version of the installed program. */
  readVersion = () => new Response(Bun.spawn([this.path, "version"]).stdout).text();

  listFilesBeside = async () => (await readdir(join(this.folder, "bin"))).toSorted();

  /** Restarts the installed program whenever it ends, like a service manager. Returns the command that ends it. */
  async supervise(): Promise<string> {
    const script = join(this.folder, "supervise");
    const [log, pid] = [join(this.folder, "log"), join(this.folder, "pid")];
    const serve = `${this.path} serve >>${log} 2>&1 & echo $! >${pid}; wait $!`;
    await writeScript(script, `while :; do ${serve}; sleep 0.2; done`);
    const quiet = { stdout: "ignore", stderr: "ignore" } as const;
    this.#supervisor = Bun.spawn([script], { env: this.#createEnv(), ...quiet });
    await waitForValue(this.isHealthy, true);
    return `kill $(cat ${pid}) 2>/dev/null; true`;
  }

  async endSupervisor(): Promise<void> {
    this.#supervisor?.kill("SIGKILL");
    await this.#supervisor?.exited;
  }

  /** Starts the site by hand. Returns the command that restarts it. */
  async start(): Promise<string> {
    const script = join(this.folder, "restart");
    const pid = join(this.folder, "pid");
    await writeScript(
      script,
      // Restarts run one at a time, as with a service manager, since a killed upgrade leaves this script running.
      `exec 9>${pid}.lock; flock 9
      if [ -f ${pid} ]; then
        old=$(cat ${pid}); kill $old; while kill -0 $old; do sleep 0.05; done
      fi 2>/dev/null
      setsid ${this.path} serve 9>&- >>${this.folder}/log 2>&1 & echo $! >${pid}`,
    );
    await this.run(script);
    await waitForValue(this.isHealthy, true);
    return script;
  }

  run = (command: string) => Bun.spawn([command], { env: this.#createEnv() }).exited;

  async stop(): Promise<void> {
    for (const pid of await this.#data.findLockHolders()) process.kill(Number(pid), "SIGTERM");
    await waitForValue(() => this.#data.findLockHolders(), []);
  }

  /**
   * Creates a signed newer program: a script that prints its version and otherwise calls the built program.
   * `serveScript` replaces the command that serves.
   */
  async createNewerProgram(serveScript = this.callRealProgram, version = "9.0.0"): Promise<string> {
    const path = join(this.folder, `limelight-${version}`);
    await writeScript(
      path,
      `case "$1" in
        version) echo "limelight ${version}";;
        serve) ${serveScript};;
        *) ${this.callRealProgram};;
      esac`,
    );
    await writeSignature(path, this.secretKey, `limelight ${version}`);
    return path;
  }

  get callRealProgram(): string {
    return `exec ${this.#realProgram} "$@"`;
  }

  /** Creates a script that serves until this file exists, and then crashes. */
  createCrashScript(file: string): string {
    return `${this.#realProgram} serve & while [ ! -f ${file} ]; do sleep 0.05; done; kill -9 $!; exit 3`;
  }

  /** A script that leaves data of a later version, and crashes. */
  get spoilingScript(): string {
    const hero = join(this.site.dataDir, "hero.json");
    return `sed -i -E 's/"version":[0-9]+/"version":99/' ${hero} ${hero}.bak; exit 3`;
  }

  upgrade = (...args: string[]): Promise<Outcome> => collectOutcome(this.startUpgrade(args));

  /** Starts an upgrade. `program` is the path of the program that is run. */
  startUpgrade(args: readonly string[], program = this.path) {
    const more = ["--key", this.secretKey.publicKey, "--timeout", String(this.timeoutSeconds)];
    return Bun.spawn([program, "upgrade", ...args, ...more], {
      cwd: this.folder,
      env: this.#createEnv(),
      stdout: "pipe",
      stderr: "pipe",
    });
  }

  /** Starts an upgrade, and kills it `ms` milliseconds after it has printed a line. */
  async killUpgradeAt(line: string, ms: number, args: readonly string[]): Promise<void> {
    const child = this.startUpgrade(args);
    await waitForOutput(child.stdout, line);
    await Bun.sleep(ms);
    child.kill("SIGKILL");
    await child.exited;
  }

  #createEnv() {
    return {
      ...OWNER_ENV,
      PATH: process.env["PATH"] ?? "",
      HOST: "127.0.0.1",
      PORT: String(this.port),
      DATA_DIR: this.site.dataDir,
      UPLOADS_DIR: this.site.uploadsDir,
      BACKUP_DIR: this.backupFolder,
      ...this.#extraEnv,
    };
  }
}

export async function writeScript(path: string, text: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${text}\n`);
  await chmod(path, 0o755);
}

/** Waits until a command ends. Returns its exit code and output. */
export async function collectOutcome(child: Parameters<typeof collectOutput>[0]): Promise<Outcome> {
  const { code, out, error } = await collectOutput(child);
  return { code, output: out + error };
}

/** Reads output until a line is printed. Throws if the output ends first. */
export async function waitForOutput(
  stream: ReadableStream<Uint8Array>,
  line: string,
): Promise<void> {
  const reader = stream.getReader();
  for (let output = ""; !output.includes(line);) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`It ended without "${line}": ${output}`);
    output += new TextDecoder().decode(value);
  }
  reader.releaseLock();
}
