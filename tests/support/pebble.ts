/**
 * A certificate authority for tests: pebble, by Let's Encrypt's authors. It comes from Debian's package, which is
 * downloaded if it isn't installed. `PEBBLE` names a folder with its two programs instead.
 */
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSelfSignedCertificate } from "./certificate.ts";
import { findFreePort } from "./ports.ts";
import { waitForValue } from "./waits.ts";

export interface Pebble {
  readonly directory: string;
  /** The file of the certificate to trust for pebble's own address. */
  readonly ca: string;
  /** The same certificate with its key, for a proxy in front of it. */
  readonly tls: { readonly cert: string; readonly key: string };
  /** Returns the root of the certificates that pebble issues, as PEM. */
  readRoot(): Promise<string>;
  /** Removes a name's address from the DNS, or adds it again. */
  setResolvable(name: string, isResolvable: boolean): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts pebble. It checks names at `httpPort` of this machine, where every name leads unless `setResolvable` changes
 * that.
 */
export async function startPebble(
  programs: string,
  httpPort: number,
  { seconds = 7_776_000, blocked = [] as readonly string[] } = {},
): Promise<Pebble> {
  const folder = await mkdtemp(join(tmpdir(), "limelight-pebble-"));
  const [listen, manage, dns, control] = [
    findFreePort(),
    findFreePort(),
    findFreePort(),
    findFreePort(),
  ];
  const { certificate, key } = await makeCertificate(folder);
  const config = {
    pebble: {
      listenAddress: `127.0.0.1:${listen}`,
      managementListenAddress: `127.0.0.1:${manage}`,
      certificate,
      privateKey: key,
      httpPort,
      tlsPort: 1,
      ocspResponderURL: "",
      externalAccountBindingRequired: false,
      certificateValidityPeriod: seconds,
      domainBlocklist: blocked,
    },
  };
  await Bun.write(join(folder, "config.json"), JSON.stringify(config));
  const disabledServices = ["-http01", "-https01", "-tlsalpn01", "-defaultIPv6"].flatMap((name) => [
    name,
    "",
  ]);
  const server = `127.0.0.1:${dns}`;
  const dnsOptions = ["-dns01", server, "-management", `127.0.0.1:${control}`, ...disabledServices];
  const dnsServer = Bun.spawn(
    [join(programs, "pebble-challtestsrv"), ...dnsOptions, "-defaultIPv4", "127.0.0.1"],
    { stdout: "ignore", stderr: "ignore" },
  );
  // A fifth of all nonces are refused, which can also happen in reality. Each order must be proven again.
  const environment = {
    PEBBLE_VA_NOSLEEP: "1",
    PEBBLE_WFE_NONCEREJECT: "20",
    PEBBLE_AUTHZREUSE: "0",
  };
  const authority = Bun.spawn(
    [join(programs, "pebble"), "-config", join(folder, "config.json"), "-dnsserver", server],
    {
      env: { ...process.env, ...environment },
      stdout: "ignore",
      stderr: Bun.file(join(folder, "log")),
    },
  );
  const directory = `https://127.0.0.1:${listen}/dir`;
  const fetchOptions = { tls: { ca: await Bun.file(certificate).text() } };
  const isUp = () =>
    fetch(directory, fetchOptions)
      .then((response) => response.ok)
      .catch(() => false);
  await waitForValue(isUp, true);
  return {
    directory,
    ca: certificate,
    tls: { cert: await Bun.file(certificate).text(), key: await Bun.file(key).text() },
    readRoot: async () => (await fetch(`https://127.0.0.1:${manage}/roots/0`, fetchOptions)).text(),
    async setResolvable(name, does) {
      const path = does ? "clear-servfail" : "set-servfail";
      const body = JSON.stringify({ host: `${name}.` });
      await fetch(`http://127.0.0.1:${control}/${path}`, { method: "POST", body });
    },
    async stop() {
      for (const child of [authority, dnsServer]) {
        child.kill();
        await child.exited;
      }
      await rm(folder, { recursive: true });
    },
  };
}

async function makeCertificate(folder: string) {
  const [key, certificate] = ["key.pem", "cert.pem"].map((name) => join(folder, name));
  const created = await createSelfSignedCertificate(2, "127.0.0.1", [
    "-addext",
    "subjectAltName=IP:127.0.0.1",
  ]);
  await Bun.write(key!, created.key);
  await Bun.write(certificate!, created.chain);
  return { key: key!, certificate: certificate! };
}

/** Returns the folder of pebble's programs. If they can't be downloaded, prints the reason and returns undefined. */
export async function findPebble(): Promise<string | undefined> {
  if (process.env["PEBBLE"]) return process.env["PEBBLE"];
  const installed = Bun.which("pebble");
  if (installed) return join(installed, "..");
  if (!Bun.which("openssl")) return reportMissing("openssl isn't installed");
  if (!Bun.which("apt-get") || !Bun.which("dpkg-deb")) return reportMissing("this isn't Debian");
  const folder = join(tmpdir(), "limelight-pebble-program");
  const binFolder = join(folder, "usr/bin");
  if (await Bun.file(join(binFolder, "pebble")).exists()) return binFolder;
  // The package is unpacked elsewhere and then renamed, since another process may need it at the same time.
  const temporaryFolder = await mkdtemp(`${folder}-`);
  const download =
    await Bun.$`cd ${temporaryFolder} && apt-get download pebble && dpkg-deb -x pebble_*.deb .`
      .quiet()
      .nothrow();
  const isDownloaded = download.exitCode === 0;
  if (isDownloaded) await rename(temporaryFolder, folder).catch(() => {});
  await rm(temporaryFolder, { recursive: true, force: true });
  return isDownloaded ? binFolder : reportMissing(download.stderr.toString().trim());
}

function reportMissing(reason: string): undefined {
  console.log(`The tests of HTTPS are skipped, since pebble is missing: ${reason}`);
}
