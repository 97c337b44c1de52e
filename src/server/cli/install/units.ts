/** What systemd needs to run Limelight, as text: a release has it as files, and `limelight install` writes it. */
import unit from "../../../../docs/deploy/limelight.service" with { type: "text" };

/** The one site of a machine, and each of several, whose name systemd puts in the place of %i. */
export const UNITS = {
  "limelight.service": unit,
  "limelight@.service": ofSeveral(unit),
};

/** The same unit with a program, settings, a user and a folder for each site. */
function ofSeveral(one: string): string {
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
