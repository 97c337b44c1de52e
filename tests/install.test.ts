/**
 * Tests `limelight install` for one site and for several, with the built program under a separate systemd. Skipped
 * without root, systemd-nspawn (Debian: systemd-container) and D-Bus.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getProgramPath } from "./support/program.ts";
import { writeScript } from "./support/installedProgram.ts";
import { createSecretKey, writeSignature } from "./support/signing.ts";
import { hasSystemd, runInSystemd } from "./support/systemd.ts";

const key = createSecretKey();

/** The newer program. It isn't healthy for one of the sites, and passes everything else to the built program. */
const NEWER_PROGRAM = `case "$1" in
  version) echo "limelight 9.0.0";;
  serve) case "$PWD" in *-ben) exit 3;; esac; exec /usr/local/real serve;;
  *) exec /usr/local/real "$@";;
esac`;

const SCRIPT = `
cd /root
exec 2>&1
programs() { echo "programs: $(stat -c '%i' /usr/local/lib/limelight/*/limelight | sort | uniq -c | cut -c1-7 | sort | xargs)"; }
part one
/usr/local/real install; echo "code $?"
echo PORT=8100 >> /etc/limelight.conf
systemctl enable --now limelight 2> /dev/null; echo "code $?"
systemctl is-active limelight
stat -c '%a %U %n' /usr/local/bin/limelight /usr/local/bin/limelightctl /etc/limelight.conf /var/lib/limelight
part again
/usr/local/real install; echo "code $?"
cat /etc/limelight.conf
part several
for name in anna ben dora; do /usr/local/real install $name > /dev/null; echo "code $?"; done
systemctl enable --now limelight@anna limelight@ben limelight@dora 2> /dev/null; echo "code $?"
grep -h PORT /etc/limelight/*.conf
stat -c '%U %n' /var/lib/limelight-anna/data /var/lib/limelight-ben/data
programs
part list
limelightctl list
part command
limelightctl @anna backup; echo "code $?"
part wrong
/usr/local/real install Anna; echo "code $?"
systemd-run --quiet --wait --pipe --uid=limelight /usr/local/real install < /dev/null; echo "code $?"
part renewed
echo "# older" >> /usr/local/lib/systemd/system/limelight@.service
limelightctl @all upgrade limelight-9.0.0 --key key.pub --timeout 5; echo "code $?"
tail -n 1 /usr/local/lib/systemd/system/limelight@.service
part after
limelightctl list
ls /usr/local/lib/limelight/*
programs
running() { stat -L -c %i /proc/$(systemctl show -p MainPID --value "limelight@$1")/exe; }
[ "$(running anna)" = "$(running dora)" ] && echo "running: one file"
`;

if (!hasSystemd)
  console.log(
    "The test of limelight install is left out: it takes root, systemd-nspawn and D-Bus.",
  );

describe.skipIf(!hasSystemd)("limelight install", () => {
  let parts: ReadonlyMap<string, string>;
  beforeAll(async () => {
    const local = await mkdtemp(join(tmpdir(), "limelight-local-"));
    try {
      await chmod(local, 0o755);
      await cp(getProgramPath(), join(local, "real"));
      const newer = join(local, "limelight-9.0.0");
      await writeScript(newer, NEWER_PROGRAM);
      await writeSignature(newer, key, "limelight 9.0.0");
      await writeFile(join(local, "key.pub"), `untrusted comment: key\n${key.publicKey}\n`);
      const files = Object.fromEntries(
        ["limelight-9.0.0", "limelight-9.0.0.minisig", "key.pub"].map((name) => [
          `root/${name}`,
          join(local, name),
        ]),
      );
      await mkdir(join(local, "bin"));
      parts = await runInSystemd(SCRIPT, { files, local });
    } finally {
      await rm(local, { recursive: true });
    }
    // Booting a machine and starting three sites takes a while beside other tests.
  }, 240_000);

  const readLines = (name: string) => parts.get(name)!.trim().split("\n");

  test("installs the program and its service, and says what to do next", () => {
    expect(readLines("one")).toEqual([
      "Installed for limelight, with its folder /var/lib/limelight.",
      "1. Add your settings to /etc/limelight.conf.",
      "2. systemctl enable --now limelight",
      "3. journalctl -u limelight shows the setup link.",
      "code 0",
      "code 0",
      "active",
      "755 root /usr/local/bin/limelight",
      "755 root /usr/local/bin/limelightctl",
      "600 root /etc/limelight.conf",
      "700 limelight /var/lib/limelight",
    ]);
  });

  test("keeps the existing settings when it is run again", () => {
    expect(readLines("again")).toContain("1. See to the settings in /etc/limelight.conf.");
    expect(readLines("again").slice(-2)).toEqual([
      "# Settings, one per line, such as SITE_URL=https://www.example.com",
      "PORT=8100",
    ]);
  });

  test("gives each named site a user, a folder and a port", () => {
    expect(readLines("several")).toEqual([
      ...Array.from({ length: 4 }, () => "code 0"),
      "PORT=3001",
      "PORT=3002",
      "PORT=3003",
      "limelight-anna /var/lib/limelight-anna/data",
      "limelight-ben /var/lib/limelight-ben/data",
      "programs: 3",
    ]);
  });

  test("lets limelightctl list the sites, and run a command for one of them", () => {
    expect(readLines("list").map((line) => line.split(/ +/).slice(0, 4).join(" "))).toEqual([
      "limelight limelight 1.0.0 active",
      "limelight@anna limelight 1.0.0 active",
      "limelight@ben limelight 1.0.0 active",
      "limelight@dora limelight 1.0.0 active",
    ]);
    expect(readLines("list")[1]).toEndWith("needs attention: limelightctl @anna doctor");
    expect(parts.get("command")).toContain("Saved /var/lib/limelight-anna/backups/limelight-");
    expect(readLines("command").at(-1)).toBe("code 0");
  });

  test("refuses an invalid name of a user, and any other user than root", () => {
    expect(readLines("wrong")).toEqual([
      "Use one name of at most 21 lowercase letters, digits and hyphens, starting with a letter. Example: limelight install anna",
      "See: limelight help",
      "code 2",
      "Only root can install a service. Nothing was changed. Run this command as root.",
      "code 2",
    ]);
  });

  test("lets an upgrade of all sites continue after one site is rolled back, which is listed as failed", () => {
    expect(readLines("anna")).toContain("The site is running.");
    expect(readLines("ben")).toEqual(
      expect.arrayContaining([expect.stringMatching(/Rolled back to/)]),
    );
    expect(readLines("dora")).toEqual(
      expect.arrayContaining(["The site is running.", "It failed for ben.", "code 1"]),
    );
    expect(
      readLines("after")
        .slice(0, 4)
        .map((line) => line.split(/ +/).slice(0, 4).join(" ")),
    ).toEqual([
      "limelight limelight 1.0.0 active",
      "limelight@anna limelight 9.0.0 active",
      "limelight@ben limelight 1.0.0 active",
      "limelight@dora limelight 9.0.0 active",
    ]);
    // The two new sites share one program, and the site that was rolled back has its earlier program.
    expect(readLines("after").slice(-2)).toEqual(["programs: 1 2", "running: one file"]);
  });

  test("lets an upgrade replace the installed units", () => {
    expect(parts.get("anna")).toContain(
      "The unit and limelightctl were updated. The service uses them from its next start.",
    );
    expect(readLines("dora").at(-1)).toBe("WantedBy=multi-user.target");
  });
});
