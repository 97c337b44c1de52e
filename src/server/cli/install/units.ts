/** The systemd units, which `limelight install` writes and a release contains. */
import unit from "../../../../docs/deploy/limelight.service" with { type: "text" };

/** By file name. The second one is for each of several sites: systemd replaces %i by the site's name. */
export const SYSTEMD_UNITS = {
  "limelight.service": unit,
  "limelight@.service": createTemplateUnit(unit),
};

function createTemplateUnit(one: string): string {
  const changes = {
    "Description=Limelight": "Description=Limelight (%i)",
    "ExecStart=/usr/local/bin/limelight": "ExecStart=/usr/local/lib/limelight/%i/limelight",
    "EnvironmentFile=-/etc/limelight.conf": "EnvironmentFile=-/etc/limelight/%i.conf",
    "User=limelight": "User=limelight-%i",
    "Group=limelight": "Group=limelight-%i",
    "StateDirectory=limelight": "StateDirectory=limelight-%i",
    "/var/lib/limelight": "/var/lib/limelight-%i",
  };
  return Object.entries(changes).reduce((text, [from, to]) => text.replaceAll(from, to), one);
}
