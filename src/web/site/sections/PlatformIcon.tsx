/** The sign of a platform. */
import type { CSSProperties } from "react";
import { platformIconPlace } from "../../../schema/platforms.ts";
import { useShell } from "../../shell.ts";

/**
 * Shows it in the colour of the words around it; a globe for an unknown one (spec section 3). The icons
 * are one picture, cut out by the styles: unlike a `<use>`, it is not fetched before it is laid out.
 */
export function PlatformIcon({ platform }: { platform: string }) {
  const icons = useShell().assets.pictures["platforms"];
  const style = { "--icons": `url(${icons})`, "--place": platformIconPlace(platform) };
  return <span className="platform-icon" aria-hidden="true" style={style as CSSProperties} />;
}
