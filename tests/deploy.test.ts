/** What docs/deploy holds for servers. */
import { expect, test } from "bun:test";
import { readConfig } from "../src/server/shared/config.ts";

const ANALYZE = Bun.which("systemd-analyze");
const UNIT = "docs/deploy/limelight.service";

test.skipIf(!ANALYZE)(
  "the unit leaves the program little to do harm with: 1.3 of 10 at most (skipped without systemd)",
  async () => {
    const security = ["security", "--offline=true", "--threshold=13", "--no-pager", UNIT];
    const { exitCode, stdout } = Bun.spawnSync([ANALYZE!, ...security]);
    expect([exitCode, stdout.toString()]).toEqual([0, expect.stringContaining("exposure level")]);
  },
);

test("the unit and the container file end the site as it wants to be ended, not as root", async () => {
  const unit = await Bun.file(UNIT).text();
  expect(unit).toContain("\nUser=limelight\n");
  // "signal" of the upgrade, and a crash, count on it.
  expect(unit).toContain("\nRestart=always\n");
  const container = await Bun.file("docs/deploy/Containerfile").text();
  expect(container).toContain("\nUSER limelight\n");
  expect(container).toContain("\nSTOPSIGNAL SIGTERM\n");
});

test("the compose file gives its instances settings that there are, and the balancer knows each of them", async () => {
  const text = await Bun.file("docs/deploy/compose.yaml").text();
  const given = text.replace(/\$\{\w+:\?[^}]*\}/g, "given").replace(/\$\{\w+:-([^}]*)\}/g, "$1");
  const compose = Bun.YAML.parse(given) as {
    services: Record<string, { image?: string; environment?: Record<string, string> }>;
  };
  const instances = Object.entries(compose.services).filter(
    ([, { image }]) => image === "limelight",
  );
  expect(instances.map(([name]) => name)).toEqual(["one", "two"]);
  const balancer = await Bun.file("docs/deploy/haproxy.cfg").text();
  for (const [name, { environment }] of instances) {
    const config = readConfig([], environment!).config;
    expect([config.databaseUrl?.place, config.uploadsS3?.bucket]).toEqual([
      "database/limelight",
      "pictures",
    ]);
    expect(balancer).toContain(`\n  server ${name} ${name}:3000 cookie ${name}\n`);
  }
  // What health says while a part is away has to be taken for well.
  const taken = new RegExp(/rstring '(.*)'/.exec(balancer)![1]!);
  expect(JSON.stringify({ status: "ok" })).toMatch(taken);
  expect(JSON.stringify({ status: "starting" })).not.toMatch(taken);
  const words = await Promise.all(
    ["postgres/pgStore.ts", "pictures/bucketPlace.ts"].map((file) =>
      Bun.file(`src/server/storage/${file}`).text(),
    ),
  );
  for (const text of words)
    expect(/"([^"]*(?:can't be (?:added or )?reached)[^"]*)"/.exec(text)![1]).toMatch(taken);
});

test.skipIf(!Bun.which("haproxy"))(
  "HAProxy takes the balancer's file (skipped without haproxy)",
  async () => {
    const { exitCode, stderr } = Bun.spawnSync(["haproxy", "-c", "-f", "docs/deploy/haproxy.cfg"]);
    expect([exitCode, stderr.toString()]).toEqual([0, expect.not.stringContaining("[ALERT]")]);
  },
);
