/** The paths and names of an installed site. */
import { join } from "node:path";

export const CONTROL_PROGRAM_PATH = "/usr/local/bin/limelightctl";
const PROGRAMS_DIR = "/usr/local/lib/limelight";
export const INSTANCES_DIR = "/etc/limelight";

/** Without a name, of the machine's only site; else of one of several. */
export const installedPaths = (name: string | undefined) =>
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
