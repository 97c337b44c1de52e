/** The built program as installed on a server, with a site that it serves, for tests of upgrades. */
import { chmod, link, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createDataKey } from "../../src/server/shared/secrets.ts";
import { CertificateStore } from "../../src/server/cli/https/certificateStore.ts";
import type { Engine } from "../../src/server/storage/engine.ts";
import { createFolderEngine } from "../../src/server/storage/files/folderEngine.ts";
import { selfSigned } from "./certificate.ts";
import { freePort } from "./ports.ts";
import { newSiteFolder, outputOf, program, removeFolder, type SiteFolder } from "./program.ts";
import { newSecretKey, signBeside } from "./signing.ts";
import { AS_OWNER } from "./site.ts";
import { eventually } from "./waits.ts";

/** A command's exit code and output. */
export interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** Runs a test with an installed program, and removes it with all its processes. */
export async function withProgram(run: (installed: InstalledProgram) => Promise<void>) {
  // On the disk of the built program, so that the copy is a hard link.
  const folder = await mkdtemp(join(dirname(program()), "installed-"));
  const installed = new InstalledProgram(folder, await newSiteFolder());
  try {
    await installed.install();
    await run(installed);
  } finally {
    await installed.remove();
  }
}

export class InstalledProgram {
  readonly key = newSecretKey();
  readonly path: string;
  /** The site's backups, outside of their default folder. */
  readonly backups: string;
  port = freePort();
  /** Seconds within which a new program has to be healthy, on a busy machine. */
  patience = 20;
  readonly #data: Engine;
  /** A hard link to the built program, which newer ones call, so that an upgrade of it would show only here. */
  readonly #real: string;
  #supervisor: Bun.Subprocess | undefined;
  /** Further settings. */
  #more: Readonly<Record<string, string>> = {};

  /** `folder` is on the built program's disk. */
  constructor(
    readonly folder: string,
    readonly site: SiteFolder,
  ) {
    this.path = join(folder, "bin/limelight");
    this.#real = join(folder, "real");
    this.backups = join(site.folder, "kept", "backups");
    this.#data = createFolderEngine(site.dataDir);
  }

  /** Puts the program alone in its folder, like an installation. */
  async install(): Promise<void> {
    await rm(join(this.folder, "bin"), { recursive: true, force: true });
    await mkdir(join(this.folder, "bin"));
    await link(program(), this.path);
    await link(program(), this.#real).catch(() => {});
  }

  async remove(): Promise<void> {
    await this.endSupervisor();
    for (const pid of await this.#data.findLockHolders()) process.kill(Number(pid), "SIGKILL");
    await removeFolder(this.site);
    await rm(this.folder, { recursive: true });
  }

  /** From its next start on the site serves HTTPS itself, with a self-signed certificate. */
  async serveHttps(): Promise<void> {
    const certificates = join(this.site.folder, "certificates");
    const certificate = await selfSigned(90);
    await new CertificateStore(certificates, createDataKey()).writeCertificate(certificate);
    this.#more = { DOMAIN: certificate.domain, CERTIFICATES_DIR: certificates, HTTP_PORT: "0" };
  }

  /** The site's address. */
  get address(): string {
    return `${this.#more["DOMAIN"] ? "https" : "http"}://127.0.0.1:${this.port}`;
  }

  isWell = () =>
    fetch(`${this.address}/api/health`, { tls: { rejectUnauthorized: false } }).then(
      ({ ok }) => ok,
      () => false,
    );

  /** The stored hero, as a visitor gets it. */
  hero = async () => (await fetch(`http://127.0.0.1:${this.port}/api/hero`)).json();

  /** The version of the installed program. */
  version = () => new Response(Bun.spawn([this.path, "version"]).stdout).text();

  filesBeside = async () => (await readdir(join(this.folder, "bin"))).toSorted();

  /** Restarts the installed program whenever it ends, like a service manager. Returns the command that ends it. */
  async supervise(): Promise<string> {
    const script = join(this.folder, "supervise");
    const [log, pid] = [join(this.folder, "log"), join(this.folder, "pid")];
    const serve = `${this.path} serve >>${log} 2>&1 & echo $! >${pid}; wait $!`;
    await writeScript(script, `while :; do ${serve}; sleep 0.2; done`);
    const quiet = { stdout: "ignore", stderr: "ignore" } as const;
    this.#supervisor = Bun.spawn([script], { env: this.#env(), ...quiet });
    await eventually(this.isWell, true);
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
      // One at a time, like a service manager, since a killed upgrade leaves this running.
      `exec 9>${pid}.lock; flock 9
      if [ -f ${pid} ]; then
        old=$(cat ${pid}); kill $old; while kill -0 $old; do sleep 0.05; done
      fi 2>/dev/null
      setsid ${this.path} serve 9>&- >>${this.folder}/log 2>&1 & echo $! >${pid}`,
    );
    await this.run(script);
    await eventually(this.isWell, true);
    return script;
  }

  run = (command: string) => Bun.spawn([command], { env: this.#env() }).exited;

  async end(): Promise<void> {
    for (const pid of await this.#data.findLockHolders()) process.kill(Number(pid), "SIGTERM");
    await eventually(() => this.#data.findLockHolders(), []);
  }

  /**
   * A signed newer program: a script that prints its version and otherwise calls the built program; `atServe`
   * replaces serving.
   */
  async newer(atServe = this.handsOn, version = "9.0.0"): Promise<string> {
    const path = join(this.folder, `limelight-${version}`);
    await writeScript(
      path,
      `case "$1" in
        version) echo "limelight ${version}";;
        serve) ${atServe};;
        *) ${this.handsOn};;
      esac`,
    );
    await signBeside(path, this.key, `limelight ${version}`);
    return path;
  }

  get handsOn(): string {
    return `exec ${this.#real} "$@"`;
  }

  /** Serves until this file exists, and then crashes. */
  crashesOnce(file: string): string {
    return `${this.#real} serve & while [ ! -f ${file} ]; do sleep 0.05; done; kill -9 $!; exit 3`;
  }

  /** Leaves data of a later version, and crashes. */
  get spoils(): string {
    const hero = join(this.site.dataDir, "hero.json");
    return `sed -i -E 's/"version":[0-9]+/"version":99/' ${hero} ${hero}.bak; exit 3`;
  }

  upgrade = (...args: string[]): Promise<Outcome> => outcomeOf(this.startUpgrade(args));

  /** `from`: the program that is run. */
  startUpgrade(args: readonly string[], from = this.path) {
    const more = ["--key", this.key.publicKey, "--timeout", String(this.patience)];
    return Bun.spawn([from, "upgrade", ...args, ...more], {
      cwd: this.folder,
      env: this.#env(),
      stdout: "pipe",
      stderr: "pipe",
    });
  }

  /** Runs until a line is printed, and kills it `ms` later. */
  async killAt(line: string, ms: number, args: readonly string[]): Promise<void> {
    const child = this.startUpgrade(args);
    await waitForOutput(child.stdout, line);
    await Bun.sleep(ms);
    child.kill("SIGKILL");
    await child.exited;
  }

  #env() {
    return {
      ...AS_OWNER,
      PATH: process.env["PATH"] ?? "",
      HOST: "127.0.0.1",
      PORT: String(this.port),
      DATA_DIR: this.site.dataDir,
      UPLOADS_DIR: this.site.uploadsDir,
      BACKUP_DIR: this.backups,
      ...this.#more,
    };
  }
}

export async function writeScript(path: string, text: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${text}\n`);
  await chmod(path, 0o755);
}

/** Waits for the end of a command. */
export async function outcomeOf(child: Parameters<typeof outputOf>[0]): Promise<Outcome> {
  const { code, out, error } = await outputOf(child);
  return { code, output: out + error };
}

/** Reads until a line is printed; throws if the output ends first. */
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
