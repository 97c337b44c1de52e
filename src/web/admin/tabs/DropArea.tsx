/** Where files are dropped or chosen. */
import Upload from "lucide-react/icons/upload";
import { type DragEvent, useState } from "react";
import { ChooseFiles } from "../parts/ChooseFiles.tsx";

/** `onFiles` gets all that were dropped or chosen at once. */
interface DropAreaProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly busy: boolean;
}

/** It lights up while files are dragged over it. */
export function DropArea({ onFiles, busy }: DropAreaProps) {
  const { over, handlers } = useDrop(onFiles);
  return (
    <div className="drop-area" data-over={over || undefined} {...handlers}>
      <span className="empty-icon">
        <Upload size={20} aria-hidden="true" />
      </span>
      <div className="drop-words">
        <strong>{over ? "Drop to upload" : "Add files"}</strong>
        <span>Any photo from your phone. It is turned upright and made smaller for you.</span>
      </div>
      <ChooseFiles variant="primary" multiple aria-busy={busy} onFiles={onFiles}>
        {busy ? "Uploading..." : "Choose files"}
      </ChooseFiles>
    </div>
  );
}

function useDrop(onFiles: (files: readonly File[]) => void) {
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
