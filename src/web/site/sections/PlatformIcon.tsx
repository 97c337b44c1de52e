/** The sign of a platform. */
import { PLATFORMS } from "../../../schema/platforms.ts";
import { useShell } from "../../useShell.ts";

/** Shows it in the colour of the words around it; a globe for an unknown one (spec section 3). */
export function PlatformIcon({ platform }: { platform: string }) {
  const sprite = useShell().assets.pictures["platforms"];
  const known = PLATFORMS.some(({ value }) => value === platform);
  return (
    <svg width="24" height="24" aria-hidden="true" fill="currentColor">
      <use href={`${sprite}#${known ? platform : "website"}`} />
    </svg>
  );
}
