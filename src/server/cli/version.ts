/** The version of the program. */
import packageJson from "../../../package.json" with { type: "json" };

/** As in package.json. */
export const VERSION: string = packageJson.version;
