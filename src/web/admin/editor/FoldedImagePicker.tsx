/** An image picker that is collapsed until it is opened. Loaded with the first form that has one. */
import Image from "lucide-react/icons/image";
import X from "lucide-react/icons/x";
import { type KeyboardEvent, useRef, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { UrlThumbnail } from "../parts/Thumbnail.tsx";
import { ImagePicker, type ImagePickerProps } from "./ImagePicker.tsx";

export function FoldedImagePicker(props: ImagePickerProps) {
  const { id, value, onChange } = props;
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    document.getElementById(`${id}-choose`)?.focus();
  };
  return (
    <div className="stack">
      <div className="row cluster">
        {value && <UrlThumbnail url={value} className="folded-picture well" />}
        <Button
          id={`${id}-choose`}
          aria-expanded={isOpen}
          aria-describedby={props.ariaProps?.["aria-describedby"]}
          onClick={() => setOpen(!isOpen)}
        >
          <Image size={16} aria-hidden="true" /> Choose Image
        </Button>
        {value && (
          <Button variant="quiet" onClick={() => onChange(null)}>
            <X size={16} aria-hidden="true" /> Remove Image
          </Button>
        )}
      </div>
      {isOpen && <ImageChoice {...props} onClose={close} />}
    </div>
  );
}

/** Closes the picker on a click, Space or Enter, but not on arrow keys, which choose each tile that they reach. */
function ImageChoice({ onClose, ...props }: ImagePickerProps & { onClose: () => void }) {
  const lastInputRef = useRef("");
  const handleKeyDown = (event: KeyboardEvent) => {
    lastInputRef.current = event.key;
    if (event.key !== "Enter" || !isRadio(event.target)) return;
    event.preventDefault();
    event.target.click();
    onClose();
  };
  const choose = (url: string | null) => {
    props.onChange(url);
    if (!isRadio(document.activeElement)) onClose();
  };
  return (
    <div
      role="presentation"
      onPointerDown={() => (lastInputRef.current = "pointer")}
      onKeyDown={handleKeyDown}
      onClick={({ target }) => {
        if (isRadio(target) && ["pointer", " "].includes(lastInputRef.current)) onClose();
      }}
    >
      <ImagePicker {...props} onChange={choose} />
    </div>
  );
}

function isRadio(target: unknown): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.type === "radio";
}
