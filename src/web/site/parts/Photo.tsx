/** A picture of the owner's at the right width, without a jump when it arrives. */
import type { CSSProperties } from "react";
import { type Pictures, variantUrl } from "../../../schema/pictures.ts";
import { safePictureUrl } from "../../../schema/safeUrl.ts";

/** `sizes` is that of HTML; an address that is no picture's shows nothing. */
export interface PhotoProps {
  readonly src: string | null | undefined;
  readonly pictures: Pictures;
  readonly sizes: string;
  readonly alt?: string;
  readonly className?: string;
  readonly style?: CSSProperties | undefined;
  /** The first picture of the page: fetched before everything else. */
  readonly first?: boolean;
  /** Fetched at once, wherever it stands. */
  readonly eager?: boolean;
  /** Shows the tiny blurred picture until the real one has arrived. */
  readonly blurred?: boolean;
}

/** The picture with its WebP variants to choose from. */
export function Photo(props: PhotoProps) {
  const {
    src,
    pictures,
    sizes,
    alt = "",
    className,
    style,
    first = false,
    blurred = !first,
    eager = first,
  } = props;
  const address = safePictureUrl(src);
  if (!address) return null;
  const picture = pictures[address];
  const placeholder = blurred && picture?.placeholder;
  return (
    <img
      src={address}
      srcSet={sourceSet(address, pictures)}
      sizes={picture?.widths.length ? sizes : undefined}
      alt={alt}
      className={className}
      width={picture?.width}
      height={picture?.height}
      loading={eager ? "eager" : "lazy"}
      decoding="async"
      fetchPriority={first ? "high" : undefined}
      style={
        placeholder ? ({ ...style, "--blurred": `url("${placeholder}")` } as CSSProperties) : style
      }
      data-blurred={placeholder ? "" : undefined}
    />
  );
}

/** The variants of an upload as `srcset`, or undefined when it has none. */
function sourceSet(address: string, pictures: Pictures): string | undefined {
  const widths = pictures[address]?.widths ?? [];
  if (widths.length === 0) return undefined;
  return widths.map((width) => `${variantUrl(address, width)} ${width}w`).join(", ");
}
