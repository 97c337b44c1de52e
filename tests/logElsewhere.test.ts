/**
 * Tests the settings that send the log to another machine, exactly as in docs/hardening.md, with a site of the built
 * program. Uses Debian's rsyslog; skipped without it.
 */
import { afterEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "./support/ports.ts";
import { type ProgramSite, startProgram } from "./support/program.ts";
import { OWNER } from "./support/site.ts";
import { waitForValue } from "./support/waits.ts";

const RSYSLOG = Bun.which("rsyslogd", { PATH: `${process.env["PATH"] ?? ""}:/usr/sbin` });
const hasTls = new Bun.Glob("/usr/lib/*/rsyslog/lmnsd_gtls.so").scanSync("/").next().done === false;
const isAvailable = RSYSLOG !== null && hasTls && Bun.which("openssl") && Bun.which("logger");
if (!isAvailable)
  console.log(
    "The test of the log elsewhere is left out: rsyslog and rsyslog-gnutls aren't installed.",
  );

const hardening = await Bun.file("docs/hardening.md").text();
const [senderConfig, receiverConfig] = ["On the site's machine", "On the log's machine"].map(
  (words) => /```\n([\s\S]+?)```/.exec(hardening.slice(hardening.indexOf(words)))![1]!,
);

let folder: string;
let site: ProgramSite | undefined;
const processes: Bun.Subprocess[] = [];
afterEach(async () => {
  const ended = processes.splice(0);
  for (const child of ended) child.kill();
  await Promise.all(ended.map((child) => child.exited));
  await site?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Creates a certificate for a name, signed by the authority `ca`, or self-signed if both names are the same. */
async function createCertificate(name: string, ca: string): Promise<void> {
  const file = (name: string, kind: string) => join(folder, `${name}.${kind}.pem`);
  const made = ["-keyout", file(name, "key"), "-out", file(name, "cert"), "-days", "2", "-nodes"];
  const by = name === ca ? [] : ["-CA", file(ca, "cert"), "-CAkey", file(ca, "key")];
  const names = name === ca ? [] : ["-addext", `subjectAltName=DNS:${name}`];
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-subj", `/CN=${name}`];
  await Bun.$`openssl req -x509 ${key} ${by} ${names} ${made}`.quiet();
}

/** Starts rsyslog with documented settings, on this test's port and files. */
async function startRsyslog(
  name: string,
  settings: string,
  role: string,
  port: number,
): Promise<void> {
  const certificatePath = (kind: string) => join(folder, `${role}.${kind}.pem`);
  const config = settings
    .replaceAll("/etc/limelight-log/ca.pem", join(folder, "authority.cert.pem"))
    .replaceAll("/etc/limelight-log/cert.pem", certificatePath("cert"))
    .replaceAll("/etc/limelight-log/key.pem", certificatePath("key"))
    .replace("/var/log/limelight.log", join(folder, "received"))
    .replace('target="log.example.com"', 'target="127.0.0.1"')
    .replace('resumeInterval="10"', 'resumeInterval="1"')
    .replace('port="6514"', `port="${port}"`);
  const source =
    'module(load="imuxsock" sysSock.use="off")\ninput(type="imuxsock" socket="SOCKET")';
  const input = name === "sending" ? source.replace("SOCKET", join(folder, "socket")) : "";
  const file = join(folder, `${name}.conf`);
  await Bun.write(file, `global(workDirectory="${folder}")\n${input}\n${config}`);
  const pid = join(folder, `${name}.pid`);
  processes.push(
    Bun.spawn([RSYSLOG!, "-n", "-f", file, "-i", pid], { stdio: ["ignore", "ignore", "ignore"] }),
  );
}

function startProcess(command: string[], stdin: "ignore" | ReadableStream) {
  const child = Bun.spawn(command, { stdin, stdout: "pipe", stderr: "ignore" });
  processes.push(child);
  return child;
}

const readReceived = () =>
  Bun.file(join(folder, "received"))
    .text()
    .catch(() => "");

test.skipIf(!isAvailable)(
  "log lines reach the log server once it is reachable, and it accepts no lines from other machines",
  async () => {
    folder = await mkdtemp(join(tmpdir(), "limelight-log-"));
    const port = findFreePort();
    await createCertificate("authority", "authority");
    for (const name of ["www.example.com", "log.example.com", "other.example.com"])
      await createCertificate(name, "authority");
    await startRsyslog("sending", senderConfig!, "www.example.com", port);
    await waitForValue(() => existsSync(join(folder, "socket")), true);

    await mkdir(join(folder, "site"));
    site = await startProgram({ folder: join(folder, "site") });
    // Passes the program's output to the system's log under its name, like systemd.
    const log = startProcess(["tail", "-n", "+1", "-F", join(folder, "site", "log")], "ignore");
    startProcess(["logger", "--tag", "limelight", "--socket", join(folder, "socket")], log.stdout);
    const guess = () =>
      site!.visitor().post("/api/auth/login", { ...OWNER, password: "wrong wrong wrong" });
    await guess();
    // The entry waits, since nobody receives it yet.
    await startRsyslog("keeping", receiverConfig!, "log.example.com", port);
    const failed =
      /limelight.* audit [0-9a-f-]{36} failedLogin [0-9a-f-]{36} entered a wrong password\n/;
    await waitForValue(async () => failed.test(await readReceived()), true);
    // Requests are logged shortly afterwards, in batches.
    await waitForValue(async () => /POST \/api\/auth\/login 401/.test(await readReceived()), true);
    await site.logInAsOwner();
    await waitForValue(async () => (await readReceived()).includes(" logged in\n"), true);
    expect(await readReceived()).not.toContain(OWNER.email);

    // The certificate is from the same authority, but for another name.
    const { authority, key, cert } = Object.fromEntries(
      ["authority.cert", "other.example.com.key", "other.example.com.cert"].map((name) => [
        name.split(".").find((part) => ["authority", "key", "cert"].includes(part)),
        join(folder, `${name}.pem`),
      ]),
    ) as Record<string, string>;
    const line = "<13>Nov 22 10:00:00 evil limelight: forged";
    await Bun.$`echo ${line} | timeout 2 openssl s_client -quiet -connect 127.0.0.1:${port} -CAfile ${authority} -cert ${cert} -key ${key}`
      .quiet()
      .nothrow();
    await guess();
    await site.visitor().post("/api/auth/login", OWNER);
    await waitForValue(async () => (await readReceived()).split(" logged in\n").length, 3);
    expect(await readReceived()).not.toContain("forged");
  },
);
