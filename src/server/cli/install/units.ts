/** The systemd units as text: a release includes them as files, and `limelight install` writes them. */
import unit from "../../../../docs/deploy/limelight.service" with { type: "text" };

/** For the machine's only site, and for each of several, whose name replaces %i. */
export const SYSTEMD_UNITS = {
  "limelight.service": unit,
  "limelight@.service": createTemplateUnit(unit),
};

/** The same unit with each site's own program, settings, user and folder. */
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
