/** Deletes a picture: one in use says where and asks; any other deletion offers Undo. */
import { type ReactNode, useState } from "react";
import { deleteWithUndo } from "../data/listWrites.ts";
import type { Upload } from "../data/uploads.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";

/** `const [ask, question] = useDeletePicture(file, onGone)`: `question` stands in the page. */
export function useDeletePicture(file: Upload, onGone?: () => void): [() => void, ReactNode] {
  const [asking, setAsking] = useState(false);
  const { originalName: name, usedIn = [] } = file;
  const remove = async () => {
    if (await deleteWithUndo("uploads", file)) onGone?.();
  };
  const one = usedIn.length === 1;
  const question = (
    <ConfirmDialog
      open={asking}
      title={`Delete “${name}”?`}
      keep="Keep file"
      confirm="Delete file"
      onKeep={() => setAsking(false)}
      onConfirm={() => {
        setAsking(false);
        void remove();
      }}
    >
      <p className="quiet">
        It's used in {listed(usedIn)}. {one ? "That section" : "Those sections"} will lose{" "}
        {one ? "its" : "their"} image.
      </p>
    </ConfirmDialog>
  );
  return [() => (usedIn.length > 0 ? setAsking(true) : void remove()), question];
}

/** "Hero", "Hero and About", "Hero, About and Press". */
function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}
