/** The sign of a platform in a row. */
import { PLATFORMS } from "../../../../schema/platforms.ts";
import { useShell } from "../../../shell.ts";

/** Shows it; a globe for an unknown one (spec section 3). */
export function PlatformSign({ platform }: { platform: string }) {
  const sprite = useShell().assets.pictures["platforms"];
  const known = PLATFORMS.some(({ value }) => value === platform);
  return (
    <svg className="platform-sign" width="18" height="18" aria-hidden="true" fill="currentColor">
      <use href={`${sprite}#${known ? platform : "website"}`} />
    </svg>
  );
}
