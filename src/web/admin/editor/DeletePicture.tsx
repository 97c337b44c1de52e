/** Deletes a picture, with Undo. Asks first if the picture is in use. */
import { type ReactNode, useState } from "react";
import { deleteWithUndo } from "../data/listWrites.ts";
import type { Upload } from "../data/uploads.ts";
import { joinList } from "../../shared/joinList.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";

/** The page must render `question`: `const [confirmDelete, question] = usePictureDeletionQuestion(file, onDeleted)`. */
export function usePictureDeletionQuestion(
  file: Upload,
  onDeleted?: () => void,
): [() => void, ReactNode] {
  const [isAsking, setAsking] = useState(false);
  const { originalName: name, usedIn = [] } = file;
  const remove = async () => {
    if (await deleteWithUndo("uploads", file)) onDeleted?.();
  };
  const sections = usedIn.filter((each) => each !== NEWSLETTERS_SECTION);
  const isSingleSection = sections.length === 1;
  const question = (
    <ConfirmDialog
      isOpen={isAsking}
      title={`Delete "${name}"?`}
      confirmLabel="Delete file"
      onCancel={() => setAsking(false)}
      onConfirm={() => {
        setAsking(false);
        void remove();
      }}
    >
      <p className="quiet">
        This image is used in {joinList(usedIn)}.{" "}
        {sections.length > 0 && (
          <>It will be removed from {isSingleSection ? "that section" : "those sections"}. </>
        )}
        {usedIn.includes(NEWSLETTERS_SECTION) &&
          "It will be removed from newsletters, even delivered ones."}
      </p>
    </ConfirmDialog>
  );
  return [() => (usedIn.length > 0 ? setAsking(true) : void remove()), question];
}

/** The newsletters in `usedIn`. Mail programs load pictures from the site, so deletions affect delivered mail too. */
const NEWSLETTERS_SECTION = "Newsletters";
