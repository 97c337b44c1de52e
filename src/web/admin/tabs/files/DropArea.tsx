/** Where files are dropped or chosen (spec section 4, "Uploads"). */
import Upload from "lucide-react/icons/upload";
import { type DragEvent, useRef, useState } from "react";
import { UPLOAD_TYPES } from "../../../../schema/uploads.ts";
import { Button } from "../../../ui/Button.tsx";

/** `onFiles` gets all that were dropped or chosen at once. */
export interface DropAreaProps {
  readonly onFiles: (files: Iterable<File>) => void;
  readonly busy: boolean;
}

/** Renders the area; it lights up while files are dragged over it. */
export function DropArea({ onFiles, busy }: DropAreaProps) {
  const input = useRef<HTMLInputElement>(null);
  const { over, handlers } = useDrop(onFiles);
  return (
    <div className="drop-area" data-over={over || undefined} {...handlers}>
      <span className="empty-icon">
        <Upload size={20} aria-hidden="true" />
      </span>
      <div className="drop-words">
        <strong>{over ? "Drop to upload" : "Add files"}</strong>
        <span>Drag pictures here, or choose them. JPEG, PNG, WebP or GIF, up to 5 MB each.</span>
      </div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Choose files"
        accept={UPLOAD_TYPES.join(",")}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = "";
        }}
      />
      <Button variant="primary" aria-busy={busy} onClick={() => input.current?.click()}>
        {busy ? "Uploading..." : "Choose files"}
      </Button>
    </div>
  );
}

function useDrop(onFiles: (files: Iterable<File>) => void) {
  const [over, setOver] = useState(false);
  const hold = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const leave = (event: DragEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget as Node)) setOver(false);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return {
    over,
    handlers: { onDragEnter: hold, onDragOver: hold, onDragLeave: leave, onDrop: drop },
  };
}
