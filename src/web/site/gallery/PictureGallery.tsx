/** Pictures that open large, one at a time; the code of the large view comes with the first one. */
import { type ComponentType, type ReactNode, useState } from "react";
import type { Pictures } from "../../../schema/pictures.ts";
import { NotFetched } from "../parts/NotFetched.tsx";
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
  const [failed, setFailed] = useState(false);
  const show = async (at: number) => {
    setIndex(at);
    const LargePicture = await load();
    setLarge(() => LargePicture);
    setOpen(true);
    setFailed(false);
  };
  const opener = (at: number): Opener => ({
    onClick: () => void show(at).catch(() => setFailed(true)),
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
      {failed && (
        <NotFetched
          title="The picture couldn't be opened"
          onRetry={() => show(index)}
          onClose={() => setFailed(false)}
        />
      )}
    </>
  );
}

/** Failing does no harm yet: opening tries again. */
function ahead(): void {
  load().catch(() => undefined);
}
