/** Messages name the command that works where the program is installed. */
import { expect, test } from "bun:test";
import {
  replaceWithServiceCommands,
  createOtherSiteWarning,
  findService,
} from "../../../src/server/cli/serviceCommands.ts";

test.each([
  ["/usr/local/bin/limelight", "limelightctl"],
  ["/usr/local/bin/limelight.previous", "limelightctl"],
  ["/usr/local/lib/limelight/anna/limelight", "limelightctl @anna"],
  ["/root/limelight-0.2.0-linux-x64", undefined],
  ["/srv/dist/limelight", undefined],
])("the program at %s is controlled by the command %p", (program, control) => {
  expect(findService(program)?.controlCommand).toBe(control);
});

test.each([
  [
    'Restore a backup with "limelight restore", then start again.',
    'Restore a backup with "limelightctl @anna restore", then start again.',
  ],
  ["Start it with: limelight serve", "Start it with: systemctl start limelight@anna"],
  [
    "Another process is using the folder /srv/data. Stop it first, or choose another folder.",
    "Another process is using the folder /srv/data. Stop it first (systemctl stop limelight@anna), or choose another folder.",
  ],
  [
    'To accept the edit, stop the site and run "limelight doctor --accept".',
    'To accept the edit, stop the site (systemctl stop limelight@anna) and run "limelightctl @anna doctor --accept".',
  ],
  [
    "To see why: journalctl -u limelight -p warning",
    "To see why: journalctl -u limelight@anna -p warning",
  ],
  // Names of files, users and the program itself stay unchanged.
  ["Saved /var/lib/limelight/backups/limelight-1.tar.gz", undefined],
  ["/var/lib/limelight doctor", undefined],
  ["A site's name is a word: limelight install anna", undefined],
  ["The unit and limelightctl are those of this release.", undefined],
])("a message's commands become those of the service: %s", (message, expected = message) => {
  const where = findService("/usr/local/lib/limelight/anna/limelight");
  expect(replaceWithServiceCommands(message, where)).toBe(expected);
  expect(replaceWithServiceCommands(message, undefined)).toBe(message);
});

test("a command run outside the service's folder says how to reach the service's site with limelightctl", () => {
  const where = findService("/usr/local/lib/limelight/anna/limelight");
  const relative = { dataDir: "./data", databaseUrl: undefined };
  expect(createOtherSiteWarning("doctor", relative, where, "/root")).toBe(
    "This command uses the site in /root. For the service's site, run: limelightctl @anna doctor",
  );
  const serviceFolder = "/var/lib/limelight-anna";
  for (const [command, config, at, folder] of [
    ["doctor", relative, where, serviceFolder],
    ["doctor", { ...relative, dataDir: `${serviceFolder}/data` }, where, "/root"],
    ["serve", relative, where, "/root"],
    ["doctor", relative, undefined, "/root"],
  ] as const)
    expect(createOtherSiteWarning(command, config, at, folder)).toBeUndefined();
});
