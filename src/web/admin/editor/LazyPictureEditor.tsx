/** The picture editor, loaded on demand. */
import { Dialog } from "../../ui/Dialog.tsx";
import { createLazyComponent } from "../parts/lazyComponent.tsx";
import type { PictureEditorProps } from "./PictureEditor.tsx";

export const LazyPictureEditor = createLazyComponent<PictureEditorProps>({
  subject: "the image",
  loadCode: async () => (await import("./PictureEditor.tsx")).PictureEditor,
  placeholder: null,
  wrapError: (message, { onClose }) => (
    <Dialog isOpen onClose={onClose} title="Image" size="small">
      {message}
    </Dialog>
  ),
});
