/** What docs/deploy holds for servers. */
import { expect, test } from "bun:test";

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
