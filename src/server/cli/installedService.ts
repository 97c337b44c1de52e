/** The installed service: its systemd units, and the paths and names of its files. */
import { join } from "node:path";
import unit from "../../../docs/deploy/limelight.service" with { type: "text" };

/** The systemd units by file name. The second is a template for several sites: systemd replaces %i by a site's name. */
export const SYSTEMD_UNITS = {
  "limelight.service": unit,
  "limelight@.service": createTemplateUnit(unit),
};

function createTemplateUnit(singleUnit: string): string {
  const replacements = {
    "Description=Limelight": "Description=Limelight (%i)",
    "ExecStart=/usr/local/bin/limelight": "ExecStart=/usr/local/lib/limelight/%i/limelight",
    "EnvironmentFile=-/etc/limelight.conf": "EnvironmentFile=-/etc/limelight/%i.conf",
    "User=limelight": "User=limelight-%i",
    "Group=limelight": "Group=limelight-%i",
    "StateDirectory=limelight": "StateDirectory=limelight-%i",
    "/var/lib/limelight": "/var/lib/limelight-%i",
  };
  return Object.entries(replacements).reduce(
    (text, [from, to]) => text.replaceAll(from, to),
    singleUnit,
  );
}

export const CONTROL_PROGRAM_PATH = "/usr/local/bin/limelightctl";
const PROGRAMS_DIR = "/usr/local/lib/limelight";
export const SITE_SETTINGS_DIR = "/etc/limelight";

/** Returns the paths and names of the machine's only site or, with a name, of one of several sites. */
export const getInstalledPaths = (name: string | undefined) =>
  name === undefined
    ? {
        service: "limelight",
        user: "limelight",
        program: "/usr/local/bin/limelight",
        settings: "/etc/limelight.conf",
        folder: "/var/lib/limelight",
      }
    : {
        service: `limelight@${name}`,
        user: `limelight-${name}`,
        program: join(PROGRAMS_DIR, name, "limelight"),
        settings: join(SITE_SETTINGS_DIR, `${name}.conf`),
        folder: `/var/lib/limelight-${name}`,
      };
