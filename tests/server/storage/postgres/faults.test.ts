/**
 * Two instances take writes of every kind while their database crashes, restarts or is away, and one of them is
 * killed: nothing acknowledged is lost, duplicated, altered or brought back. `LIMELIGHT_FAULTS` is the number of
 * rounds, without which it doesn't run (killed.test.ts has a short form that always runs); `LIMELIGHT_AWAY` is the
 * database's absence in seconds (default 3).
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { AllWrites } from "../../../support/allWrites.ts";
import { hasPostgres, postgresForAll } from "../../../support/postgres.ts";
import {
  newSiteFolder,
  type ProgramSite,
  removeFolder,
  type SiteFolder,
  startProgram,
} from "../../../support/program.ts";
import { eventually } from "../../../support/waits.ts";

const ROUNDS = Number(process.env["LIMELIGHT_FAULTS"] ?? 0);
const OUTAGE_S = Number(process.env["LIMELIGHT_AWAY"] ?? 3);

setDefaultTimeout(120_000 + ROUNDS * (30 + OUTAGE_S) * 1000);

describe.if(ROUNDS > 0 && hasPostgres)("two instances", () => {
  const postgres = postgresForAll({ isDurable: true });
  let url: string;
  let shared: SiteFolder;
  const instances: ProgramSite[] = [];
  const start = () =>
    startProgram({
      env: { DATABASE_URL: url, RATE_LIMIT: "off", UPLOADS_DIR: shared.uploadsDir },
    });

  beforeAll(async () => {
    url = postgres.url();
    shared = await newSiteFolder();
    instances.push(await start(), await start());
  });
  afterAll(async () => {
    await Promise.all(instances.map((each) => each.stop("SIGKILL").catch(() => undefined)));
    await removeFolder(shared);
  });

  const faults: readonly (() => Promise<void>)[] = [
    () => postgres.crash(),
    () => postgres.stop(),
    async () => {
      await postgres.crash();
      await Bun.sleep(OUTAGE_S * 1000);
    },
  ];

  /** Documents, which each instance holds in memory. */
  async function documentsAt(instance: ProgramSite): Promise<string[]> {
    const owner = await instance.owner();
    const paths = ["hero", "statistics", "connect-links", "forms", "uploads"];
    return Promise.all(paths.map(async (path) => (await owner.get(`/api/${path}`)).text));
  }

  test("lose nothing, store nothing twice, and revert nothing, whatever fails around them", async () => {
    const writes = new AllWrites();
    const [first, second] = instances as [ProgramSite, ProgramSite];
    await writes.prepare(await first.owner());
    await eventually(() => documentsAt(second), await documentsAt(first));
    for (let round = 0; round < ROUNDS; round++) {
      const [one, other] = instances as [ProgramSite, ProgramSite];
      let isOver = false;
      const writers = { owner: await one.owner(), visitor: other.visitor() };
      const writing = writes.write(writers, () => isOver, true);
      const more = (count: number) => {
        const enough = writes.acknowledged + count;
        return eventually(() => writes.acknowledged >= enough, true);
      };
      await more(30);
      await faults[round % faults.length]!();
      await postgres.start();
      await more(30);
      // Kills the visitors' instance and the owner's by turns.
      const killed = instances[Math.floor(round / faults.length) % 2]!;
      await killed.stop("SIGKILL").catch(() => undefined);
      isOver = true;
      await writing;
      const left = killed === one ? other : one;
      const fresh = await start();
      instances.splice(0, 2, fresh, left);
      await eventually(() => documentsAt(left), await documentsAt(fresh));
      await writes.compare(await fresh.owner());
    }
    expect(writes.acknowledged).toBeGreaterThan(60 * ROUNDS);
    console.log(`${ROUNDS} faults and kills, ${writes.acknowledged} acknowledged writes`);
  });
});
