/** The options of `build.ts`, checked before anything is built. */
import { parseArgs } from "node:util";
import { TARGETS, type Target } from "./runtimes.ts";

interface BuildOptions {
  readonly release: boolean;
  readonly unaudited: boolean;
  readonly webOnly: boolean;
  /** The target platform. Default: this machine. */
  readonly target: Target | undefined;
}

/** Throws with a message for unknown options, and for options that exclude each other. */
export function parseBuildOptions(args: readonly string[]): BuildOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      target: { type: "string" },
      "web-only": { type: "boolean", default: false },
      release: { type: "boolean", default: false },
      unaudited: { type: "boolean", default: false },
    },
  });
  const { release, unaudited, "web-only": webOnly } = values;
  const target = TARGETS.find((each) => each === values.target);
  if (values.target !== undefined && !target)
    throw new Error(`Unknown target "${values.target}". Use ${TARGETS.join(" or ")}.`);
  if ([release, webOnly, target !== undefined].filter(Boolean).length > 1)
    throw new Error("Use only one of --release (all platforms), --target and --web-only.");
  if (unaudited && !release) throw new Error("--unaudited is for --release alone.");
  return { release, unaudited, webOnly, target };
}
