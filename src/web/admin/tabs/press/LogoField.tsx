/** The logo of a press feature: its path as text, and a button that opens the picker. */
import Image from "lucide-react/icons/image";
import { type KeyboardEvent, useId, useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import type { Draft } from "../../drafts/useDraft.ts";
import { afterPress } from "../../editor/afterPress.ts";
import { ImagePicker } from "../../editor/ImagePicker.tsx";
import { FieldFrame } from "../../parts/FieldFrame.tsx";

/** Words of the overlay without uploads (spec section 2), and what to do. */
const EMPTY = ["No uploaded files available", "Upload a logo with the tile below."] as const;

/** Shows the path, the button and the overlay. */
export function LogoField({ draft }: { draft: Draft<"pressFeatures"> }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const { logoUrl } = draft.values;
  const error = draft.errors["logoUrl"];
  return (
    <FieldFrame id={id} label="Logo Image (Optional)" error={error}>
      <div className="path">
        <input
          id={id}
          type="text"
          spellCheck={false}
          autoComplete="off"
          placeholder="/uploads/logo.png"
          value={logoUrl ?? ""}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-note` : undefined}
          onChange={({ target }) => draft.set("logoUrl", target.value || null)}
          onBlur={() => afterPress(() => draft.check("logoUrl"))}
        />
        <Button onClick={() => setOpen(true)}>
          <Image size={16} aria-hidden="true" /> Choose Image
        </Button>
      </div>
      <Dialog open={open} onClose={() => setOpen(false)} title="Choose Logo Image">
        <div role="presentation" onKeyDown={(event) => doneOnEnter(event, () => setOpen(false))}>
          <ImagePicker
            id={`${id}-tiles`}
            label="Logo Image"
            value={logoUrl}
            empty={EMPTY}
            noneLabel="No logo"
            onChange={(url) => draft.set("logoUrl", url)}
          />
        </div>
        <div className="item-actions">
          <Button variant="primary" onClick={() => setOpen(false)}>
            Done
          </Button>
        </div>
      </Dialog>
    </FieldFrame>
  );
}

/** Enter on a picture ends the choice; the form around the overlay is saved by its own button. */
function doneOnEnter(event: KeyboardEvent, onDone: () => void): void {
  const { target, key } = event;
  if (key !== "Enter" || !(target instanceof HTMLInputElement) || target.type !== "radio") return;
  event.preventDefault();
  onDone();
}
