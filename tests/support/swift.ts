/**
 * A real S3-compatible store for tests: OpenStack Swift with its s3api, which checks signatures. It comes from Debian
 * (swift-proxy, swift-account, swift-container, swift-object, memcached) and needs root.
 */
import { createHash, createHmac } from "node:crypto";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePorts } from "./ports.ts";

/** Whether Swift is available. If not, tests that need it are skipped. */
export const hasSwift =
  process.getuid?.() === 0 &&
  ["swift-proxy-server", "swift-object-server", "memcached"].every(
    (name) => Bun.which(name) !== null,
  ) &&
  (await Bun.file("/etc/swift/swift.conf").exists());

export interface Swift {
  /** Such as http://127.0.0.1:41234. */
  readonly endpoint: string;
  readonly port: number;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Creates an empty bucket. */
  makeBucket(name: string): Promise<void>;
}

const REGION = "us-east-1";
const CREDENTIALS = { accessKeyId: "test:tester", secretAccessKey: "testing" };

let startedSwift: Promise<Swift> | undefined;
/** Kept referenced for the life of the process, since Bun closes the pipes of unreferenced processes. */
let servers: Bun.Subprocess<"pipe", "ignore", "ignore"> | undefined;

/**
 * Returns the store of this process. It is started for the first file of tests that needs it, since its five servers
 * take seconds. It ends with the process, and its folder is removed.
 */
export const getSharedSwift = (): Promise<Swift> => (startedSwift ??= startSwift());

async function startSwift(): Promise<Swift> {
  const folder = await mkdtemp(join(tmpdir(), "limelight-swift-"));
  const ports = { account: 0, container: 0, object: 0, proxy: 0, memcached: 0 };
  const freePortNumbers = findFreePorts(5);
  for (const name of Object.keys(ports) as (keyof typeof ports)[])
    ports[name] = freePortNumbers.pop()!;
  await mkdir(join(folder, "devices/d1"), { recursive: true });
  const portArgs = [ports.account, ports.container, ports.object].map(String);
  await Bun.spawn(["/usr/bin/python3", "-c", RINGS, folder, ...portArgs], QUIET).exited;
  const commands = [`memcached -u root -l 127.0.0.1 -p ${ports.memcached}`];
  for (const server of ["account", "container", "object", "proxy"] as const) {
    const file = join(folder, `${server}.conf`);
    await writeFile(
      file,
      server === "proxy"
        ? createProxyConfig(folder, ports)
        : createServerConfig(folder, server, ports[server]),
    );
    commands.push(`swift-${server}-server ${file}`);
  }
  servers = Bun.spawn(["sh", "-c", createServerScript(commands, folder)], {
    ...QUIET,
    stdin: "pipe",
  });
  const endpoint = `http://127.0.0.1:${ports.proxy}`;
  try {
    await retryUntilMade(
      async () => (await makeBucket(endpoint, "ready")) && acceptsObjects(endpoint),
    );
  } catch (error) {
    startedSwift = undefined;
    await servers.stdin.end();
    throw error;
  }
  return {
    endpoint,
    port: ports.proxy,
    ...CREDENTIALS,
    makeBucket: (name) => retryUntilMade(() => makeBucket(endpoint, name)),
  };
}

/**
 * Creates a script that runs commands until its input is closed, which happens whenever this process ends, and then
 * removes a folder.
 */
const createServerScript = (commands: readonly string[], folder: string) => `
${commands.map((command) => `${command} & servers="$servers $!"`).join("\n")}
cat
kill $servers
wait
rm -rf "${folder}"
`;

const QUIET = { stdout: "ignore", stderr: "ignore" } as const;

/**
 * A program that assigns data to servers. It is a single process, since each start of Python takes seconds on a busy
 * machine.
 */
const RINGS = `import sys
from swift.common.ring import RingBuilder
folder, *ports = sys.argv[1:]
for name, port in zip(("account", "container", "object"), ports):
    ring = RingBuilder(4, 1, 1)
    place = {"ip": "127.0.0.1", "port": int(port)}
    copies = {"replication_ip": "127.0.0.1", "replication_port": int(port)}
    ring.add_dev({"id": 0, "region": 1, "zone": 1, "device": "d1", "weight": 1, "meta": "", **place, **copies})
    ring.rebalance()
    ring.get_ring().save(f"{folder}/{name}.ring.gz")
`;

const createServerConfig = (folder: string, server: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
devices = ${folder}/devices
swift_dir = ${folder}
mount_check = false
user = root
workers = 1
log_address = /nonexistent
[pipeline:main]
pipeline = ${server}-server
[app:${server}-server]
use = egg:swift#${server}
`;

const createProxyConfig = (
  folder: string,
  ports: { proxy: number; memcached: number },
) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${ports.proxy}
swift_dir = ${folder}
user = root
workers = 1
log_address = /nonexistent
[pipeline:main]
pipeline = catch_errors cache s3api tempauth slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
# A server that is still starting is asked again at once, not left out for a minute.
error_suppression_limit = 1000000
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${ports.memcached}
[filter:s3api]
use = egg:swift#s3api
location = ${REGION}
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
`;

/** Creates a bucket. Bun's client can't do so, so the request is signed here (AWS Signature Version 4). */
async function makeBucket(endpoint: string, bucket: string): Promise<boolean> {
  const { host } = new URL(endpoint);
  const now = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const empty = createHash("sha256").update("").digest("hex");
  const headers = `host:${host}\nx-amz-content-sha256:${empty}\nx-amz-date:${now}\n`;
  const signed = "host;x-amz-content-sha256;x-amz-date";
  const request = `PUT\n/${bucket}\n\n${headers}\n${signed}\n${empty}`;
  const scope = `${now.slice(0, 8)}/${REGION}/s3/aws4_request`;
  const computeMac = (key: string | Buffer, text: string) =>
    createHmac("sha256", key).update(text).digest();
  const key = scope
    .split("/")
    .reduce<string | Buffer>(computeMac, `AWS4${CREDENTIALS.secretAccessKey}`);
  const hash = createHash("sha256").update(request).digest("hex");
  const signature = computeMac(key, `AWS4-HMAC-SHA256\n${now}\n${scope}\n${hash}`).toString("hex");
  const response = await fetch(`${endpoint}/${bucket}`, {
    method: "PUT",
    // A server that is starting may accept a request and never respond.
    signal: AbortSignal.timeout(10_000),
    headers: {
      "x-amz-date": now,
      "x-amz-content-sha256": empty,
      authorization: `AWS4-HMAC-SHA256 Credential=${CREDENTIALS.accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`,
    },
  });
  await response.bytes();
  return response.ok || response.status === 409;
}

/** Whether the object server has also started, which isn't needed for creating a bucket. */
async function acceptsObjects(endpoint: string): Promise<boolean> {
  const file = new Bun.S3Client({ ...CREDENTIALS, endpoint, bucket: "ready", region: REGION }).file(
    "ready",
  );
  await file.write("ready");
  return (await file.text()) === "ready";
}

async function retryUntilMade(make: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 180_000;
  while (performance.now() < end) {
    if (await make().catch(() => false)) return;
    await Bun.sleep(100);
  }
  throw new Error("Swift did not become ready within three minutes.");
}
