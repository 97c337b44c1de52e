/**
 * Tests the hardened unit of docs/deploy with the built program, under a separate systemd. Skipped without root,
 * systemd-nspawn (Debian: systemd-container) and D-Bus.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { chmod, cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getProgramPath } from "./support/program.ts";
import { hasSystemd, runInSystemd } from "./support/systemd.ts";

/** The steps of operating.md, as root of the container. Each test below reads the output of one part. */
const SCRIPT = `
# Between the kill and systemd's noticing it the unit is active still, and then it has no process (0).
until_again() { for i in $(seq 600); do now=$(main); [ "$now" != 0 ] && [ "$now" != $1 ] && systemctl is-active -q limelight && return; sleep 0.1; done; }
useradd --system --no-create-home --home-dir /var/lib/limelight --shell /usr/sbin/nologin limelight
printf 'SITE_URL=https://www.example.com\\nPORT=8100\\nBACKUP_DIR=/var/lib/limelight/kept\\n' > /etc/limelight.conf
openssl rand -base64 32 > /root/key
systemd-creds --with-key=host encrypt --name=DATA_KEY /root/key /etc/limelight-data-key.cred
mkdir -p /etc/systemd/system/limelight.service.d
printf '[Service]\\nLoadCredentialEncrypted=DATA_KEY:/etc/limelight-data-key.cred\\n' > /etc/systemd/system/limelight.service.d/override.conf
systemctl daemon-reload
systemctl start limelight
until_said "admin/setup#token="
part health
exec 3<>/dev/tcp/127.0.0.1/8100
printf 'GET /api/health HTTP/1.1\\r\\nHost: www.example.com\\r\\nConnection: close\\r\\n\\r\\n' >&3
cat <&3
part log
journalctl -u limelight -o cat
part status
grep -E 'Uid|CapEff|CapBnd|NoNewPrivs|Seccomp:' /proc/$(main)/status
part mounts
cat /proc/$(main)/mountinfo
part files
stat -c '%a %U %n' /var/lib/limelight /var/lib/limelight/data /var/lib/limelight/data/secret
head -c 7 /var/lib/limelight/data/secret
part doctor
sh /root/limelightctl doctor
echo "code $?"
part backup
sh /root/limelightctl backup
echo "code $?"
stat -c '%a %U' /var/lib/limelight/kept /var/lib/limelight/kept/*.gz
part upgrade
sh /root/limelightctl upgrade /root/none --key /root/none --restart "systemctl restart limelight" < /dev/null
echo "code $?"
part restarted
before=$(main)
kill -KILL $before
until_again $before
systemctl is-active limelight
part without-key
rm /etc/systemd/system/limelight.service.d/override.conf
systemctl daemon-reload
systemctl restart limelight
until_said "DATA_KEY can't decrypt it"
# It is started again and again, which says more each time.
journalctl -u limelight -o cat | grep "DATA_KEY can't decrypt it"
part wrong-setting
echo PORT=none >> /etc/limelight.conf
systemctl restart limelight 2> /dev/null
echo "code $?"
sleep 3
systemctl show -p ActiveState -p ExecMainStatus limelight
journalctl -u limelight -o cat -p err | grep PORT
`;

if (!hasSystemd)
  console.log("The test of the unit is skipped: it takes root, systemd-nspawn and D-Bus.");

describe.skipIf(!hasSystemd)("under systemd the site's service", () => {
  let parts: ReadonlyMap<string, string>;
  beforeAll(async () => {
    const local = await mkdtemp(join(tmpdir(), "limelight-local-"));
    await chmod(local, 0o755);
    await cp(getProgramPath(), join(local, "bin/limelight"));
    const files = {
      "etc/systemd/system/limelight.service": "docs/deploy/limelight.service",
      "root/limelightctl": "docs/deploy/limelightctl",
    };
    parts = await runInSystemd(SCRIPT, { files, local });
    await rm(local, { recursive: true });
    // Booting a machine takes a while beside other tests.
  }, 240_000);

  test("serves the site, and shows the setup link in its log", () => {
    expect(parts.get("health")).toMatch(/^HTTP\/1\.1 200 [\s\S]*"status":"ok"/);
    expect(parts.get("log")).toContain("https://www.example.com/admin/setup#token=");
  });

  test("runs as its own user, without any capability and behind a filter of system calls", () => {
    const status = Object.fromEntries(
      parts
        .get("status")!
        .trim()
        .split("\n")
        .map((line) => line.split(/:\s+/)),
    );
    expect(status).toMatchObject({
      CapEff: "0".repeat(16),
      CapBnd: "0".repeat(16),
      NoNewPrivs: "1",
      Seccomp: "2",
    });
    expect(status["Uid"]).not.toMatch(/\b0\b/);
  });

  test("can write only to its own folder, which nobody else can read", () => {
    const mounts = parts
      .get("mounts")!
      .split("\n")
      .map((line) => line.split(" "));
    const allowed = ["/var/lib/limelight", "/tmp", "/var/tmp"];
    const isKernels = (path: string) => /^\/(proc|sys|dev|run)(\/|$)/.test(path);
    const writable = mounts
      .filter(([, , , , path = "", options = ""]) => options.startsWith("rw") && !isKernels(path))
      .map(([, , , , path]) => path);
    expect(writable.filter((path) => !allowed.includes(path!))).toEqual([]);
    expect(writable).toContain("/var/lib/limelight");
    expect(parts.get("files")).toStartWith(
      "700 limelight /var/lib/limelight\n700 limelight /var/lib/limelight/data\n600 limelight ",
    );
  });

  test("has its key as an encrypted credential, and doesn't start without the key", () => {
    expect(parts.get("files")).toEndWith("sealed:");
    expect(parts.get("without-key")).toContain(
      "is encrypted, and DATA_KEY can't decrypt it. Start with",
    );
  });

  test("lets limelightctl run commands with the service's user, folder, settings and credentials", () => {
    expect(parts.get("doctor")).toContain("the secret is encrypted, and DATA_KEY decrypts it\n");
    expect(parts.get("doctor")).toEndWith("code 1\n");
    const saved =
      /Saved \/var\/lib\/limelight\/kept\/limelight-\S+ .*\nIt is on this machine alone: .*\ncode 0\n/;
    expect(parts.get("backup")).toMatch(saved);
    expect(parts.get("backup")).toEndWith("700 limelight\n600 limelight\n");
    // The upgrade has reached the healthy site at the port in the settings.
    expect(parts.get("upgrade")).toStartWith("That isn't a minisign public key.");
    expect(parts.get("upgrade")).toEndWith("code 2\n");
  });

  test("isn't restarted with an invalid setting, and systemctl restart fails", () => {
    const [code, ...state] = parts.get("wrong-setting")!.trim().split("\n");
    expect(code).not.toBe("code 0");
    expect(state.toSorted()).toEqual([
      "ActiveState=failed",
      "ExecMainStatus=78",
      "PORT must be a whole number from 0 to 65535.",
    ]);
  });

  test("is restarted after a kill", () => {
    expect(parts.get("restarted")).toBe("active\n");
  });
});
