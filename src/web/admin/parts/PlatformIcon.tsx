/** A platform's icon; a globe for unknown platforms. */
import type { CSSProperties } from "react";
import { getPlatformIconIndex } from "../../../schema/sections/platforms.ts";
import { useShell } from "../../shared/shell.ts";
import css from "./PlatformIcon.css" with { type: "text" };
import { useStylesheet } from "./useStylesheet.ts";

export function PlatformIcon({ platform }: { platform: string }) {
  useStylesheet(css);
  const icons = useShell().assets.pictures["platforms"];
  const style = { "--icons": `url(${icons})`, "--place": getPlatformIconIndex(platform) };
  return <span className="platform-sign" aria-hidden="true" style={style as CSSProperties} />;
}
