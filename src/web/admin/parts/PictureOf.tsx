/** A small picture of an address: its smallest variant when it was uploaded here. */
import { thumbnailOf, useUploads } from "../data/uploads.ts";

/** `alt` is empty where the words beside it say what it is. */
export interface PictureOfProps {
  readonly url: string;
  readonly alt?: string;
  readonly className?: string;
}

export function PictureOf({ url, alt = "", className = "row-picture" }: PictureOfProps) {
  const { files } = useUploads();
  const upload = files?.find((file) => file.url === url);
  const source = upload ? thumbnailOf(upload) : url;
  return (
    <img
      src={source}
      data-tone={upload?.tone}
      alt={alt}
      className={className}
      loading="lazy"
      decoding="async"
    />
  );
}
