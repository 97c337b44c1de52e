/** The icon of a platform. Unknown platforms have a globe. */
import type { CSSProperties } from "react";
import { getPlatformIconPosition } from "../../../schema/sections/platforms.ts";
import { usePageContext } from "../../shared/pageContext.ts";
import css from "./PlatformIcon.css" with { type: "text" };
import { useStylesheet } from "./useStylesheet.ts";

export function PlatformIcon({ platform }: { platform: string }) {
  useStylesheet(css);
  const icons = usePageContext().assets.pictures["platforms"];
  const style = { "--icons": `url(${icons})`, "--place": getPlatformIconPosition(platform) };
  return <span className="platform-sign" aria-hidden="true" style={style as CSSProperties} />;
}
