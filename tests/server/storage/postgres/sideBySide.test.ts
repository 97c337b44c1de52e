/**
 * Two releases serve one site side by side, as in a rolling upgrade. `LIMELIGHT_OTHER_BUILD` names the earlier
 * program, such as that of the previous commit; without it nothing is run.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { hasPostgres, postgresForAll } from "../../../support/postgres.ts";
import { type ProgramSite, startProgram } from "../../../support/program.ts";
import { eventually } from "../../../support/waits.ts";

setDefaultTimeout(120_000);

const other = process.env["LIMELIGHT_OTHER_BUILD"];

describe.if(other !== undefined && hasPostgres)("an earlier release and this one", () => {
  const postgres = postgresForAll();
  let [earlier, later]: ProgramSite[] = [];
  beforeAll(async () => {
    const env = { DATABASE_URL: postgres.url(), RATE_LIMIT: "off" };
    earlier = await startProgram({ env, command: [other!] });
    later = await startProgram({ env });
  });
  afterAll(async () => {
    await later?.stop();
    await earlier?.stop().catch(() => undefined);
  });

  const pageOf = async ({ url }: ProgramSite) => (await fetch(`${url}/`)).text();
  const both = () => [
    [earlier!, later!],
    [later!, earlier!],
  ];

  test("show what was saved on the other, and accept its sessions", async () => {
    for (const [one, two] of both()) {
      const name = `Name ${crypto.randomUUID()}`;
      await one!.asOwner("POST", "/api/site", { name });
      await eventually(async () => (await pageOf(two!)).includes(name), true);
      const cookie = (await one!.owner()).cookies();
      const me = () => fetch(`${two!.url}/api/auth/me`, { headers: { cookie } });
      await eventually(async () => (await me()).status, 200);
    }
  });

  test("count what visitors sent to either, and let the owner change it on the other", async () => {
    for (const [at, [one, two]] of both().entries()) {
      const email = `guest${at}@example.com`;
      expect((await one!.visitor().post("/api/email-subscriptions", { email })).status).toBe(201);
      const listed = () => two!.asOwner<{ email: string }[]>("GET", "/api/email-subscriptions");
      await eventually(async () => (await listed()).some((each) => each.email === email), true);
      expect((await listed()).length).toBe(at + 1);
    }
  });

  test("the later one continues alone, with all the data", async () => {
    await earlier!.stop();
    const listed = await later!.asOwner<unknown[]>("GET", "/api/email-subscriptions");
    expect(listed.length).toBe(2);
    await later!.asOwner("POST", "/api/site", { name: "Alone" });
    expect(await pageOf(later!)).toContain("Alone");
  });
});
