/** Deletes a picture: if it is in use, names the places and asks; else offers Undo. */
import { type ReactNode, useState } from "react";
import { deleteWithUndo } from "../data/listWrites.ts";
import type { Upload } from "../data/uploads.ts";
import { joinList } from "../../shared/joinList.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";

/** `const [ask, question] = useDeletePictureQuestion(file, onDeleted)`: render `question` in the page. */
export function useDeletePictureQuestion(
  file: Upload,
  onDeleted?: () => void,
): [() => void, ReactNode] {
  const [asking, setAsking] = useState(false);
  const { originalName: name, usedIn = [] } = file;
  const remove = async () => {
    if (await deleteWithUndo("uploads", file)) onDeleted?.();
  };
  const sections = usedIn.filter((each) => each !== NEWSLETTERS_SECTION);
  const one = sections.length === 1;
  const question = (
    <ConfirmDialog
      open={asking}
      title={`Delete "${name}"?`}
      cancel="Cancel"
      confirm="Delete file"
      onCancel={() => setAsking(false)}
      onConfirm={() => {
        setAsking(false);
        void remove();
      }}
    >
      <p className="quiet">
        This image is used in {joinList(usedIn)}.{" "}
        {sections.length > 0 && (
          <>It will be removed from {one ? "that section" : "those sections"}. </>
        )}
        {usedIn.includes(NEWSLETTERS_SECTION) &&
          "It will be removed from newsletters, even delivered ones."}
      </p>
    </ConfirmDialog>
  );
  return [() => (usedIn.length > 0 ? setAsking(true) : void remove()), question];
}

/** Mail programs load a letter's pictures every time it is read. */
const NEWSLETTERS_SECTION = "Newsletters";
