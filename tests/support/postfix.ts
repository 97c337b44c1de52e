/**
 * A real mail server, Debian's Postfix, on a free port, with its own configuration, queue and mailboxes. It stores mail
 * for example.com and forwards nothing. Needs root.
 */
import { generateKeyPairSync } from "node:crypto";
import { chmod, mkdtemp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { findFreePort } from "./ports.ts";
import { waitForValue } from "./waits.ts";

const POSTFIX = "/usr/sbin/postfix";

/** Whether Postfix is available. If not, tests that need it are skipped. */
export const hasPostfix = process.getuid?.() === 0 && (await Bun.file(POSTFIX).exists());

export interface Postfix {
  readonly port: number;
  /** Returns the delivered messages as stored in the mailbox. */
  readDelivered(): Promise<Buffer[]>;
  stop(): Promise<void>;
}

const OPENDKIM = "/usr/sbin/opendkim";

/** Whether Debian's opendkim is available. It signs as mail providers do. */
export const hasOpendkim = hasPostfix && (await Bun.file(OPENDKIM).exists());

/** Signs for example.com, under `s1._domainkey.example.com`. */
export interface DkimSigner {
  /** The TXT record of the signer's key. */
  readonly record: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts a signer for a Postfix that uses it. The listed headers are signed if they are present. */
export async function startDkimSigner(): Promise<DkimSigner> {
  const folder = await mkdtemp(join(tmpdir(), "limelight-dkim-"));
  const { publicKey, privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  await writeFile(join(folder, "key"), privateKey, { mode: 0o600 });
  const port = findFreePort();
  await writeFile(
    join(folder, "conf"),
    `Domain example.com
Selector s1
KeyFile ${folder}/key
Socket inet:${port}@127.0.0.1
Canonicalization relaxed/relaxed
InternalHosts 127.0.0.1
Mode s
RequireSafeKeys no
SignHeaders From,Reply-To,Subject,Date,Message-ID,To,MIME-Version,Content-Type,List-Unsubscribe,List-Unsubscribe-Post,Auto-Submitted
`,
  );
  const signer = Bun.spawn([OPENDKIM, "-f", "-x", join(folder, "conf")], {
    stdout: "ignore",
    stderr: "ignore",
  });
  await waitForValue(() => isListening(port), true);
  return {
    record: `v=DKIM1; k=rsa; p=${publicKey.toString("base64")}`,
    port,
    async stop() {
      signer.kill();
      await signer.exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const line = { hostname: "127.0.0.1", port, socket: { data() {} } };
  return Bun.connect(line).then(
    (socket) => {
      socket.end();
      return true;
    },
    () => false,
  );
}

/** Starts a Postfix that accepts only mail for these names at example.com. */
export async function startPostfix(
  names: readonly string[],
  signing?: DkimSigner,
): Promise<Postfix> {
  const folder = await mkdtemp(join(tmpdir(), "limelight-postfix-"));
  // Postfix's processes run as other users.
  await chmod(folder, 0o755);
  const port = findFreePort();
  const [queue, data, boxes] = ["queue", "data", "boxes"].map((name) => join(folder, name));
  for (const folderPath of [queue!, data!, boxes!]) await mkdir(folderPath); // oxlint-disable-line no-await-in-loop
  await Bun.spawn(["chown", "postfix", data!, boxes!]).exited;
  const recipients = names.map((name) => `/^${name}@example\\.com$/i box/`).join("\n");
  const certificates = resolve("tests/fixtures/mail");
  await Promise.all([
    writeFile(join(folder, "known"), `${recipients}\n`),
    writeFile(join(folder, "master.cf"), createMasterConfig(port)),
    writeFile(
      join(folder, "main.cf"),
      `compatibility_level = 3.6
queue_directory = ${queue}
data_directory = ${data}
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
myhostname = mail.example.com
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
alias_maps =
default_transport = error:nothing leaves this machine
virtual_mailbox_domains = example.com
virtual_mailbox_base = ${boxes}
virtual_mailbox_maps = regexp:${folder}/known
virtual_uid_maps = static:${await readId("-u")}
virtual_gid_maps = static:${await readId("-g")}
virtual_minimum_uid = 1
smtpd_milters = ${signing ? `inet:127.0.0.1:${signing.port}` : ""}
smtpd_tls_security_level = may
smtpd_tls_cert_file = ${certificates}/server.crt
smtpd_tls_key_file = ${certificates}/server.key
`,
    ),
  ]);
  const quiet = { stdout: "ignore", stderr: "ignore" } as const;
  const master = Bun.spawn([POSTFIX, "-c", folder, "start-fg"], quiet);
  await waitForValue(() => isGreeting(port), true);
  return {
    port,
    async readDelivered() {
      const box = join(boxes!, "box/new");
      const files = await readdir(box).catch(() => []);
      return Promise.all(
        files.toSorted().map(async (name) => Buffer.from(await Bun.file(join(box, name)).bytes())),
      );
    },
    async stop() {
      await Bun.spawn([POSTFIX, "-c", folder, "stop"], quiet).exited;
      await master.exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const readId = async (which: "-u" | "-g") =>
  (await new Response(Bun.spawn(["id", which, "postfix"]).stdout).text()).trim();

/** Whether the server greets with "220". */
async function isGreeting(port: number): Promise<boolean> {
  const { promise, resolve: settle } = Promise.withResolvers<boolean>();
  try {
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        data: (_, bytes) => settle(bytes.toString().startsWith("220")),
        close: () => settle(false),
        error: () => settle(false),
      },
    });
    const hasGreeting = await promise;
    socket.end("QUIT\r\n");
    return hasGreeting;
  } catch {
    return false;
  }
}

/** Creates the list of services for receiving and delivering, none of which uses chroot. */
const createMasterConfig = (port: number) => `127.0.0.1:${port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
`;
