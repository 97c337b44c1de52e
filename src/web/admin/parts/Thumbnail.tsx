/** Thumbnails of uploads and other pictures. Cropping keeps the focal point visible. */
import type { CSSProperties } from "react";
import type { Point } from "../../../schema/pictures/pictures.ts";
import { createThumbnailUrl, type Upload, useUploads } from "../data/uploads.ts";

/** `alt` must be empty if adjacent text already describes the picture. */
interface UrlThumbnailProps {
  readonly url: string;
  readonly alt?: string;
  readonly className?: string;
}

export function UrlThumbnail({ url, alt = "", className = "row-picture well" }: UrlThumbnailProps) {
  const { files } = useUploads();
  const upload = files?.find((file) => file.url === url);
  if (upload) return <Thumbnail file={upload} alt={alt} className={className} />;
  return <img src={url} alt={alt} className={className} loading="lazy" decoding="async" />;
}

interface ThumbnailProps {
  readonly file: Upload;
  readonly alt?: string;
  readonly className?: string;
}

export function Thumbnail({ file, alt = "", className }: ThumbnailProps) {
  return (
    <img
      src={createThumbnailUrl(file)}
      style={createFocusStyle(file.focus)}
      data-tone={file.tone}
      data-kind={file.kind}
      alt={alt}
      className={className}
      loading="lazy"
      decoding="async"
    />
  );
}

/** Sets `--focus`, which stylesheets use as the `object-position` of cropped pictures. */
export function createFocusStyle(focus: Point | null | undefined): CSSProperties | undefined {
  return focus ? ({ "--focus": `${focus.x}% ${focus.y}%` } as CSSProperties) : undefined;
}
