/** Pictures that open large, one at a time. */
import { type ReactNode, useState } from "react";
import type { Pictures } from "../../../schema/pictures.ts";
import { LargePicture } from "./LargePicture.tsx";
import type { GalleryItem, Opener } from "./Poster.tsx";

/** "dialog" shows the words beside the picture, "lightbox" the picture over the whole screen. */
export interface PictureGalleryProps {
  readonly items: readonly GalleryItem[];
  readonly pictures: Pictures;
  readonly kind: "dialog" | "lightbox";
  readonly children: (opener: (index: number) => Opener) => ReactNode;
}

/** For the list of cards: what is said when the code behind them couldn't be fetched (inline/wake.ts). */
export const WAKES = { "data-wakes": "The picture couldn't be opened" };

/** Shows the cards, and from the first opening on the large view. */
export function PictureGallery({ items, pictures, kind, children }: PictureGalleryProps) {
  const [index, setIndex] = useState<number>();
  const [open, setOpen] = useState(false);
  const opener = (at: number): Opener => ({
    onClick: () => {
      setIndex(at);
      setOpen(true);
    },
  });
  return (
    <>
      {children(opener)}
      {index !== undefined && items.length > 0 && (
        <LargePicture
          items={items}
          pictures={pictures}
          kind={kind}
          open={open}
          index={Math.min(index, items.length - 1)}
          onIndex={setIndex}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
