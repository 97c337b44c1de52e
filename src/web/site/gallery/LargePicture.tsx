/** One picture at full size in a dialog; arrow keys, buttons and swipes move on to the others. */
import type { Pictures } from "../../../schema/pictures.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { Photo } from "../Photo.tsx";
import { Chevron } from "./Chevron.tsx";
import type { GalleryItem } from "./PictureGallery.tsx";
import { useMoves } from "./useMoves.ts";

/** `index` is the picture shown; `onIndex` asks for another. */
export interface LargePictureProps {
  readonly items: readonly GalleryItem[];
  readonly pictures: Pictures;
  readonly kind: "dialog" | "lightbox";
  readonly open: boolean;
  readonly index: number;
  readonly onIndex: (index: number) => void;
  readonly onClose: () => void;
}

/** Shows the large view; it wraps at both ends. */
export function LargePicture(props: LargePictureProps) {
  const { items, pictures, kind, open, index, onIndex, onClose } = props;
  const { imageUrl, title, subtitle } = items[index]!;
  const move = (by: number) => onIndex((index + by + items.length) % items.length);
  useMoves(open && items.length > 1, move);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      titleHidden={kind === "lightbox"}
      size="large"
      className={`large-picture large-picture-${kind}`}
    >
      <div className="large-picture-stage">
        <Photo key={imageUrl} src={imageUrl} pictures={pictures} sizes="100vw" alt={title} eager />
        {items.length > 1 && <Arrows move={move} />}
      </div>
      {subtitle && kind === "dialog" && <p className="large-picture-subtitle">{subtitle}</p>}
      <p className="ui-hidden" aria-live="polite">
        {`${title}, picture ${index + 1} of ${items.length}`}
      </p>
    </Dialog>
  );
}

function Arrows({ move }: { move: (by: number) => void }) {
  return (
    <>
      <button type="button" className="arrow" aria-label="Previous" onClick={() => move(-1)}>
        <Chevron to="left" />
      </button>
      <button
        type="button"
        className="arrow"
        aria-label="Next"
        data-autofocus=""
        onClick={() => move(1)}
      >
        <Chevron to="right" />
      </button>
    </>
  );
}
