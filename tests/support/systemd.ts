/**
 * A separate systemd for tests: a container with this machine's /usr, booted while a script runs in it as root. Needs
 * root, systemd-nspawn (Debian: systemd-container) and D-Bus.
 */
import { chmod, cp, mkdir, mkdtemp, readlink, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const hasRequirements = process.getuid?.() === 0 && Bun.which("dbus-daemon") !== null;
const NSPAWN = hasRequirements ? Bun.which("systemd-nspawn") : null;

/** Whether a separate systemd can be started on this machine. */
export const hasSystemd = NSPAWN !== null;

const TEST_UNIT = `[Unit]
Requires=basic.target
After=basic.target
[Service]
Type=oneshot
StandardOutput=file:/root/out
ExecStart=/bin/bash /root/steps
ExecStopPost=/bin/systemctl poweroff --force
`;

/** Functions for every container's script. */
const SCRIPT_FUNCTIONS = `
part() { echo "== $1"; }
main() { systemctl show -p MainPID --value limelight; }
until_said() { for i in $(seq 600); do journalctl -u limelight -o cat | grep -q "$1" && return; sleep 0.1; done; }
`;

/**
 * Boots the container, runs the script and returns the output of each part (`part <name>` begins a part). `files` are
 * further files by their path. `local` is a folder of this machine that is bound over /usr/local and is writable.
 */
export async function runInSystemd(
  steps: string,
  { files, local: localFolder }: { files: Readonly<Record<string, string>>; local: string },
): Promise<ReadonlyMap<string, string>> {
  const root = await mkdtemp(join(tmpdir(), "limelight-unit-"));
  try {
    // The container's services don't run as root.
    await chmod(root, 0o755);
    for (const folder of ["usr", "var", "run", "tmp", "proc", "sys", "dev", "root", SERVICES])
      await mkdir(join(root, folder), { recursive: true });
    for (const name of ["bin", "sbin", "lib", "lib64"]) {
      const target = await readlink(`/${name}`).catch(() => undefined);
      if (target) await symlink(target, join(root, name));
    }
    for (const name of COPIED_FILES)
      await cp(`/etc/${name}`, join(root, "etc", name), { dereference: true });
    await Bun.write(join(root, "etc/machine-id"), "");
    await Bun.write(join(root, SERVICES, "try.service"), TEST_UNIT);
    await Bun.write(join(root, "root/steps"), SCRIPT_FUNCTIONS + steps);
    for (const [path, from] of Object.entries(files)) await cp(from, join(root, path));
    const binds = ["--bind-ro=/usr", `--bind=${localFolder}:/usr/local`];
    const isolation = ["--register=no", "--keep-unit", "--private-network", `--directory=${root}`];
    const command = [
      NSPAWN!,
      "--quiet",
      ...isolation,
      ...binds,
      "--boot",
      "systemd.unit=try.service",
    ];
    const child = Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
    const errorOutput = await new Response(child.stderr).text();
    await child.exited;
    const out = Bun.file(join(root, "root/out"));
    if (!(await out.exists())) throw new Error(`The container didn't start: ${errorOutput}`);
    const parts = (await out.text()).split("== ").map((part) => part.split(/\n([\s\S]*)/));
    return new Map(parts.map(([name = "", text = ""]) => [name, text]));
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const SERVICES = "etc/systemd/system";
const COPIED_FILES = [
  "passwd",
  "group",
  "nsswitch.conf",
  "ld.so.cache",
  "login.defs",
  "os-release",
];
