/** Files on their way: each is checked, sent, shown with its share, and can be cancelled. */
import { useRef, useState } from "react";
import { uploadFile, wrongWith } from "../../editor/uploadFile.ts";
import { toastError, toastFailure, toastSuccess } from "../../queries/toasts.ts";

/** One file on its way; `share` goes from 0 to 1. */
export interface Uploading {
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
