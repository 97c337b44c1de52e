/** Pictures that open large, one at a time; the code of the large view comes with the first one. */
import { type ComponentType, type ReactNode, useState } from "react";
import type { Pictures } from "../../../schema/pictures.ts";
import type { LargePictureProps } from "./LargePicture.tsx";
import type { GalleryItem, Opener } from "./Poster.tsx";

const load = async () => (await import("./LargePicture.tsx")).LargePicture;

/** "dialog" shows the words beside the picture, "lightbox" the picture over the whole screen. */
export interface PictureGalleryProps {
  readonly items: readonly GalleryItem[];
  readonly pictures: Pictures;
  readonly kind: "dialog" | "lightbox";
  readonly children: (opener: (index: number) => Opener) => ReactNode;
}

/** Shows the cards, and from the first opening on the large view. */
export function PictureGallery({ items, pictures, kind, children }: PictureGalleryProps) {
  const [index, setIndex] = useState(0);
  const [open, setOpen] = useState(false);
  const [Large, setLarge] = useState<ComponentType<LargePictureProps>>();
  const show = async (at: number) => {
    setIndex(at);
    try {
      const LargePicture = await load();
      setLarge(() => LargePicture);
      setOpen(true);
    } catch {
      // The code can't be fetched: the browser shows the picture by itself.
      window.location.assign(items[at]!.imageUrl);
    }
  };
  const opener = (at: number): Opener => ({
    onClick: () => void show(at),
    onPointerEnter: ahead,
    onFocus: ahead,
  });
  return (
    <>
      {children(opener)}
      {Large && items.length > 0 && (
        <Large
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

/** Failing does no harm yet: opening tries again. */
function ahead(): void {
  load().catch(() => undefined);
}
