/** Files on their way: dropped or chosen, checked, sent, shown with their share, cancelled. */
import Upload from "lucide-react/icons/upload";
import X from "lucide-react/icons/x";
import { type DragEvent, useEffect, useRef, useState } from "react";
import { UPLOAD_TYPES } from "../../../schema/uploads.ts";
import { Button } from "../../ui/Button.tsx";
import { toastError, toastFailure, toastSuccess } from "../data/messages.ts";
import { uploadFile, wrongWith } from "../data/uploads.ts";
import { IconButton } from "../parts/IconButton.tsx";

/** `onFiles` gets all that were dropped or chosen at once. */
interface DropAreaProps {
  readonly onFiles: (files: Iterable<File>) => void;
  readonly busy: boolean;
}

/** Where files are dropped or chosen; it lights up while they are dragged over it. */
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
        <span>Drag images here or choose them. JPEG, PNG, WebP or GIF, up to 5 MB each.</span>
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

/** One file on its way; `share` goes from 0 to 1. */
interface Uploading {
  readonly id: number;
  readonly file: File;
  readonly share: number;
}

/** What is on its way, and how to add and cancel. */
export function useUploading() {
  const [running, setRunning] = useState<readonly Uploading[]>([]);
  const aborts = useRef(new Map<number, AbortController>());
  const send = async (file: File) => {
    const wrong = wrongWith(file);
    if (wrong) return toastError(wrong);
    const id = nextId();
    const abort = new AbortController();
    aborts.current.set(id, abort);
    setRunning((all) => [...all, { id, file, share: 0 }]);
    const onProgress = (share: number) =>
      setRunning((all) => all.map((each) => (each.id === id ? { ...each, share } : each)));
    try {
      await uploadFile(file, { onProgress, signal: abort.signal });
      toastSuccess("File uploaded successfully");
    } catch (error) {
      if (!abort.signal.aborted) toastFailure(error, "Failed to upload file");
    } finally {
      aborts.current.delete(id);
      setRunning((all) => all.filter((each) => each.id !== id));
    }
  };
  return {
    running,
    add: (files: Iterable<File>) => [...files].forEach((file) => void send(file)),
    cancel: (id: number) => aborts.current.get(id)?.abort(),
  };
}

let lastId = 0;

function nextId(): number {
  lastId += 1;
  return lastId;
}

/** One file on its way: picture, name, share, cancel. */
export function UploadRow({ upload, onCancel }: { upload: Uploading; onCancel: () => void }) {
  const { file, share } = upload;
  const picture = useObjectUrl(file);
  return (
    <li className="upload-row">
      <img src={picture} alt="" />
      <div className="upload-progress">
        <span className="upload-name">{file.name}</span>
        <span className="upload-share">{Math.round(share * 100)} %</span>
        <progress value={share} max={1} aria-label={`Uploading ${file.name}`} />
      </div>
      <IconButton icon={X} label={`Cancel ${file.name}`} onClick={onCancel} />
    </li>
  );
}

function useObjectUrl(file: File): string {
  const [url] = useState(() => URL.createObjectURL(file));
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return url;
}
