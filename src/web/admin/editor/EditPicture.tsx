/** Opens a picture's description and crops; the code is loaded on demand. */
import { Dialog } from "../../ui/Dialog.tsx";
import { lazyPart } from "../parts/LazyPart.tsx";
import type { EditPictureProps } from "./PictureEditor.tsx";

export const EditPicture = lazyPart<EditPictureProps>({
  subject: "the image",
  code: async () => (await import("./PictureEditor.tsx")).PictureEditor,
  waiting: null,
  frame: (message, { onClose }) => (
    <Dialog open onClose={onClose} title="Image" size="small">
      {message}
    </Dialog>
  ),
});
