/** The icon of a platform. */
import type { CSSProperties } from "react";
import { platformIconIndex } from "../../../schema/sections/platforms.ts";
import { useShell } from "../../shared/shell.ts";
import css from "./PlatformSign.css" with { type: "text" };
import { useSheet } from "./useSheet.ts";

/** Cropped from one picture; a globe for an unknown one. */
export function PlatformSign({ platform }: { platform: string }) {
  useSheet(css);
  const icons = useShell().assets.pictures["platforms"];
  const style = { "--icons": `url(${icons})`, "--place": platformIconIndex(platform) };
  return <span className="platform-sign" aria-hidden="true" style={style as CSSProperties} />;
}
