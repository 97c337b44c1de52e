/** The paths and names that `limelight install` uses. */
import { join } from "node:path";

/** A site's paths and names on the machine. */
interface InstalledPaths {
  readonly service: string;
  readonly user: string;
  readonly program: string;
  readonly settings: string;
  readonly folder: string;
}

export const CONTROL_PROGRAM_PATH = "/usr/local/bin/limelightctl";
const PROGRAMS_DIR = "/usr/local/lib/limelight";
export const INSTANCES_DIR = "/etc/limelight";

/** For the machine's only site, or for a named one of several. */
export const installedPaths = (name: string | undefined): InstalledPaths =>
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
        settings: join(INSTANCES_DIR, `${name}.conf`),
        folder: `/var/lib/limelight-${name}`,
      };
