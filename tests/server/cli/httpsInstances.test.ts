/**
 * Several instances serve HTTPS themselves: one orders, the authority may ask any of them, all serve the same, and
 * where the one that orders dies another takes over within 30 seconds (specification, section 1.4).
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { SQL } from "bun";
import { once } from "node:events";
import { join } from "node:path";
import { connect as tlsConnect, type PeerCertificate } from "node:tls";
import { newSchema } from "../../support/newSchema.ts";
import { findPebble, type Pebble, startPebble } from "../../support/pebble.ts";
import { freePort } from "../../support/ports.ts";
import { hasPostgres, type Postgres, startPostgres } from "../../support/postgres.ts";
import { newSiteFolder, program, removeFolder, type SiteFolder } from "../../support/program.ts";
import { AS_OWNER } from "../../support/site.ts";
import { eventually, runningTime } from "../../support/waits.ts";

setDefaultTimeout(120_000);

const NAME = "www.limelight.test";
/** Of a certificate, in seconds: each is renewed when two thirds are over. */
const LIFE = 9;
/** When that is at the earliest, in milliseconds: certificates tell whole seconds. */
const DUE = ((LIFE - 1) * 1000 * 2) / 3;
const programs = hasPostgres ? await findPebble() : undefined;

interface Instance {
  readonly site: SiteFolder;
  readonly http: number;
  readonly https: number;
  child: Bun.Subprocess | undefined;
}

describe.skipIf(programs === undefined)("two instances with HTTPS", () => {
  let postgres: Postgres;
  let pebble: Pebble;
  let sql: SQL;
  let url: string;
  let balancer: Bun.Server<undefined>;
  const instances: Instance[] = [];
  /** What each instance that listened answered the authority, for each time it asked. */
  const asked: string[][] = [];
  const firstAsked = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();

  beforeAll(async () => {
    postgres = await startPostgres();
    url = postgres.url(newSchema());
    sql = new SQL(postgres.url("").replace(/\?.*/, ""), { max: 1 });
    balancer = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 60, fetch: throughAll });
    pebble = await startPebble(programs!, balancer.port!, { seconds: LIFE });
    for (let at = 0; at < 2; at++)
      instances.push({
        site: await newSiteFolder(),
        http: freePort(),
        https: freePort(),
        child: undefined,
      });
  });
  afterAll(async () => {
    for (const { child, site } of instances) {
      child?.kill("SIGKILL");
      await child?.exited;
      await removeFolder(site);
    }
    await Promise.all([pebble.stop(), balancer.stop(true), sql.close()]);
    await postgres.remove();
  });

  /** As a balancer that could take any of them: the authority is answered by what all that serve say alike. */
  async function throughAll(request: Request): Promise<Response> {
    firstAsked.resolve();
    await goOn.promise;
    const { pathname } = new URL(request.url);
    const all = await Promise.all(
      instances.map(({ http }) =>
        fetch(`http://127.0.0.1:${http}${pathname}`, { redirect: "manual" })
          .then(async (answer) => `${answer.status} ${await answer.text()}`)
          .catch(() => undefined),
      ),
    );
    const answers = all.filter((answer) => answer !== undefined);
    asked.push(answers);
    const isSame = answers.every((answer) => answer === answers[0]);
    return new Response(isSame ? answers[0]!.slice(4) : "not the same", { status: 200 });
  }

  function start(instance: Instance): void {
    const { site, http, https } = instance;
    const log = Bun.file(join(site.folder, "log"));
    instance.child = Bun.spawn([program(), "serve", "--domain", NAME], {
      cwd: site.folder,
      env: {
        PATH: process.env["PATH"],
        ...AS_OWNER,
        DATABASE_URL: url,
        HOST: "127.0.0.1",
        PORT: String(https),
        HTTP_PORT: String(http),
        ACME_DIRECTORY: pebble.directory,
        NODE_EXTRA_CA_CERTS: pebble.ca,
      },
      stdout: log,
      stderr: log,
    });
  }

  const isListening = ({ http }: Instance) =>
    fetch(`http://127.0.0.1:${http}/`, { redirect: "manual" }).then(
      () => true,
      () => false,
    );

  /** The certificate that an instance serves; undefined while it has none. */
  async function served({ https }: Instance): Promise<PeerCertificate | undefined> {
    // On a machine that stands still its time may be over.
    const names = { servername: NAME, rejectUnauthorized: false };
    const socket = tlsConnect({ port: https, host: "127.0.0.1", ...names });
    return new Promise((resolve) => {
      socket.once("secureConnect", () => {
        resolve(socket.getPeerCertificate() as PeerCertificate);
        socket.destroy();
      });
      socket.once("error", () => resolve(undefined));
    });
  }

  const serial = async (instance: Instance) => (await served(instance))?.serialNumber;

  /** Waits until both serve the same one, other than `before`. */
  async function untilSame(before?: string): Promise<void> {
    await eventually(async () => {
      const [one, other] = await Promise.all(instances.map(serial));
      return one !== undefined && one !== before && one === other;
    }, true);
  }

  /** The process that holds the lock of the order. */
  async function ordering(): Promise<number> {
    const rows: { pid: string }[] = await sql.unsafe(
      `select split_part(application_name, ' ', 2) as pid from pg_locks join pg_stat_activity using (pid)
        where locktype = 'advisory' and mode = 'ExclusiveLock'`,
    );
    const pids = new Set(rows.map(({ pid }) => Number(pid)));
    return instances.find(({ child }) => child && pids.has(child.pid))!.child!.pid;
  }

  test("one orders; killed in the middle, another takes over, and all serve what is had then", async () => {
    for (const instance of instances) start(instance);
    await firstAsked.promise;
    await eventually(
      async () => (await Promise.all(instances.map(isListening))).every(Boolean),
      true,
    );
    const pid = await ordering();
    const killed = instances.find(({ child }) => child?.pid === pid)!;
    const other = instances.find((each) => each !== killed)!;
    killed.child!.kill("SIGKILL");
    await killed.child!.exited;
    killed.child = undefined;
    const time = runningTime();
    goOn.resolve();
    await eventually(async () => (await serial(other)) !== undefined, true);
    time.stop();
    expect(time.passed()).toBeLessThan(30_000);
    const socket = tlsConnect({
      port: other.https,
      host: "127.0.0.1",
      servername: NAME,
      ca: await pebble.root(),
    });
    await once(socket, "secureConnect");
    socket.destroy();

    const had = (await served(other))!;
    const orders = asked.length;
    start(killed);
    await eventually(async () => (await serial(killed)) !== undefined, true);
    // What is had is good for both, until it is due: nothing is asked for anew.
    const [now, first] = [asked.length, await serial(killed)];
    if (Date.now() < Date.parse(had.valid_from) + DUE)
      expect([now, first]).toEqual([orders, had.serialNumber]);
    await untilSame();
  });

  test("a new one is served by all, and was proven at each of them", async () => {
    const before = await serial(instances[0]!);
    const begun = asked.length;
    const time = performance.now();
    await untilSame(before);
    // One proof may be asked for several times; nobody else's is.
    const proof = asked.at(-1)!;
    expect(proof).toEqual([expect.stringMatching(/^200 /), proof[0]!]);
    const proofs = new Set(asked.slice(begun).flat());
    expect(proofs.size).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - time) / DUE));
  });
});
