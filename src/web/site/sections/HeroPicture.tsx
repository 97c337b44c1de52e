/** The picture behind the first screen, fetched before everything else. */
import { useRouter } from "@tanstack/react-router";
import type { Pictures } from "../../../schema/pictures.ts";
import { Photo } from "../parts/Photo.tsx";
import { FIRST_SCREEN_SCRIPT } from "./firstScreen.ts";

/**
 * How wide a picture the hero asks for. It covers the screen, so on an upright one it is wider than the
 * screen; half of that is out of sight, and 85 % of its height is sharp enough for what is left.
 */
const HERO_SIZES = "(orientation: portrait) 85vh, 100vw";

/** `script` runs as soon as the browser has read the picture, besides what holds the rest back. */
export interface HeroPictureProps {
  readonly src: string;
  readonly pictures: Pictures;
  readonly script?: string;
}

/** Renders the picture, and the inline code that waits for it right behind it. */
export function HeroPicture({ src, pictures, script = "" }: HeroPictureProps) {
  const nonce = useRouter({ warn: false })?.options.ssr?.nonce;
  return (
    <>
      <Photo src={src} pictures={pictures} sizes={HERO_SIZES} className="hero-picture" first />
      <script nonce={nonce} dangerouslySetInnerHTML={{ __html: FIRST_SCREEN_SCRIPT + script }} />
    </>
  );
}
