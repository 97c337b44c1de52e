/**
 * Several instances serve HTTPS themselves: one orders, the authority may ask any of them, all serve the same, and
 * where the one that orders dies another takes over within 30 seconds (specification, section 1.4).
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { SQL } from "bun";
import { type HttpsSite, newHttpsSite } from "../../support/httpsSite.ts";
import { findPebble, type Pebble, startPebble } from "../../support/pebble.ts";
import { hasPostgres, postgresForAll } from "../../support/postgres.ts";
import { AS_OWNER } from "../../support/site.ts";
import { eventually, runningTime } from "../../support/waits.ts";

setDefaultTimeout(120_000);

const NAME = "www.limelight.test";
/** Of a certificate, in seconds: each is renewed when two thirds are over. */
const LIFE = 9;
/** When that is at the earliest, in milliseconds: certificates tell whole seconds. */
const DUE = ((LIFE - 1) * 1000 * 2) / 3;
const programs = hasPostgres ? await findPebble() : undefined;

describe.skipIf(programs === undefined)("two instances with HTTPS", () => {
  const postgres = postgresForAll();
  let pebble: Pebble;
  let sql: SQL;
  let url: string;
  let balancer: Bun.Server<undefined>;
  const instances: HttpsSite[] = [];
  /** What each instance that listened answered the authority, for each time it asked. */
  const orders: string[][] = [];
  const firstOrder = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();

  beforeAll(async () => {
    url = postgres.url();
    sql = postgres.sql();
    balancer = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 60, fetch: throughAll });
    pebble = await startPebble(programs!, balancer.port!, { seconds: LIFE });
    for (let at = 0; at < 2; at++) instances.push(await newHttpsSite(NAME));
  });
  afterAll(async () => {
    await Promise.all(instances.map((each) => each.remove()));
    await Promise.all([pebble.stop(), balancer.stop(true), sql.close()]);
  });

  /** As a balancer that could take any of them: the authority is answered by what all that serve say alike. */
  async function throughAll(request: Request): Promise<Response> {
    firstOrder.resolve();
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
    orders.push(answers);
    const isSame = answers.every((answer) => answer === answers[0]);
    return new Response(isSame ? answers[0]!.slice(4) : "not the same", { status: 200 });
  }

  const start = (instance: HttpsSite) =>
    instance.start(NAME, pebble, { ...AS_OWNER, DATABASE_URL: url });

  const isListening = ({ http }: HttpsSite) =>
    fetch(`http://127.0.0.1:${http}/`, { redirect: "manual" }).then(
      () => true,
      () => false,
    );

  /** Waits until both serve the same one, other than `before`. */
  async function untilSame(before?: string): Promise<void> {
    await eventually(async () => {
      const [one, other] = await Promise.all(instances.map(({ serial }) => serial()));
      return one !== undefined && one !== before && one === other;
    }, true);
  }

  /** The one that holds the lock of the order. */
  async function ordering(): Promise<HttpsSite> {
    const rows: { pid: string }[] = await sql.unsafe(
      `select split_part(application_name, ' ', 2) as pid from pg_locks join pg_stat_activity using (pid)
        where locktype = 'advisory' and mode = 'ExclusiveLock'`,
    );
    const pids = new Set(rows.map(({ pid }) => Number(pid)));
    return instances.find(({ pid }) => pids.has(pid() ?? 0))!;
  }

  test("one orders; killed in the middle, another takes over, and all serve what is had then", async () => {
    for (const instance of instances) await start(instance);
    await firstOrder.promise;
    await eventually(
      async () => (await Promise.all(instances.map(isListening))).every(Boolean),
      true,
    );
    const killed = await ordering();
    const other = instances.find((each) => each !== killed)!;
    await killed.end("SIGKILL");
    const time = runningTime();
    goOn.resolve();
    await eventually(async () => (await other.serial()) !== undefined, true);
    time.stop();
    expect(time.passed()).toBeLessThan(30_000);
    (await other.connected({ ca: await pebble.root() })).destroy();

    const had = (await other.served())!;
    const count = orders.length;
    await start(killed);
    await eventually(async () => (await killed.serial()) !== undefined, true);
    // What is had is good for both, until it is due: nothing is asked for anew.
    const [now, first] = [orders.length, await killed.serial()];
    if (Date.now() < Date.parse(had.valid_from) + DUE)
      expect([now, first]).toEqual([count, had.serialNumber]);
    await untilSame();
  });

  test("a new one is served by all, and was proven at each of them", async () => {
    const before = await instances[0]!.serial();
    const begun = orders.length;
    const time = performance.now();
    await untilSame(before);
    // One proof may be asked for several times; nobody else's is.
    const proof = orders.at(-1)!;
    expect(proof).toEqual([expect.stringMatching(/^200 /), proof[0]!]);
    const proofs = new Set(orders.slice(begun).flat());
    expect(proofs.size).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - time) / DUE));
  });
});
