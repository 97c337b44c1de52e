/** Pictures that open large, one at a time; the code of the large view comes with the first one. */
import { lazy, type ReactNode, Suspense, useState } from "react";
import type { Pictures } from "../../../schema/pictures.ts";

const load = () => import("./LargePicture.tsx");
const LargePicture = lazy(async () => ({ default: (await load()).LargePicture }));

/** One picture with its words. */
export interface GalleryItem {
  readonly imageUrl: string;
  readonly title: string;
  readonly subtitle?: string | null;
}

/** What a card needs to open its picture; looking at it fetches the large view ahead. */
export interface Opener {
  readonly onClick: () => void;
  readonly onPointerEnter: () => void;
  readonly onFocus: () => void;
}

/** "dialog" shows the words beside the picture, "lightbox" the picture over the whole screen. */
export interface PictureGalleryProps {
  readonly items: readonly GalleryItem[];
  readonly pictures: Pictures;
  readonly kind: "dialog" | "lightbox";
  readonly children: (opener: (index: number) => Opener) => ReactNode;
}

/** Failing is no harm yet: the opening tries again. */
function ahead(): void {
  load().catch(() => undefined);
}

/** Renders the cards, and the large view from the first opening on. */
export function PictureGallery({ items, pictures, kind, children }: PictureGalleryProps) {
  const [index, setIndex] = useState<number>();
  const [open, setOpen] = useState(false);
  const opener = (at: number): Opener => ({
    onClick: () => {
      setIndex(at);
      setOpen(true);
    },
    onPointerEnter: ahead,
    onFocus: ahead,
  });
  return (
    <>
      {children(opener)}
      {index !== undefined && items.length > 0 && (
        <Suspense>
          <LargePicture
            items={items}
            pictures={pictures}
            kind={kind}
            open={open}
            index={Math.min(index, items.length - 1)}
            onIndex={setIndex}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
