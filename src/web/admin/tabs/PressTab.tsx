/** The Press tab: features, section settings, preview. */
import Image from "lucide-react/icons/image";
import { type KeyboardEvent, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import type { Draft } from "../data/useDraft.ts";
import { runAfterPress } from "../editor/afterPress.ts";
import { createFieldState } from "../editor/Field.tsx";
import { ImagePicker } from "../editor/ImagePicker.tsx";
import { Field } from "../../ui/Field.tsx";
import { createSectionTab } from "./SectionTab.tsx";

export const PressTab = createSectionTab("pressFeatures", {
  overrideFields: (draft) => ({
    logoUrl: { replacement: <LogoField key="logoUrl" draft={draft} /> },
  }),
});

function LogoField({ draft }: { draft: Draft<"pressFeatures"> }) {
  const [isOpen, setOpen] = useState(false);
  const { logoUrl } = draft.values;
  return (
    <>
      <Field state={createFieldState(draft, "logoUrl")} label="Logo Image (Optional)">
        {(control, change) => (
          <div className="row">
            <input
              {...control}
              type="text"
              className="grow"
              spellCheck={false}
              autoComplete="off"
              placeholder="/uploads/logo.png"
              value={control.value ?? ""}
              onChange={({ target }) => change(target.value || null)}
              onBlur={() => runAfterPress(() => draft.checkField("logoUrl"))}
            />
            <Button onClick={() => setOpen(true)}>
              <Image size={16} aria-hidden="true" /> Choose Image
            </Button>
          </div>
        )}
      </Field>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Choose Logo Image">
        <div role="presentation" onKeyDown={(event) => closeOnEnter(event, () => setOpen(false))}>
          <ImagePicker
            id={`${draft.id}-logo`}
            label="Logo Image"
            value={logoUrl}
            emptyTexts={NO_UPLOADS_TEXTS}
            firstKind="logo"
            noneLabel="No logo"
            onChange={(url) => draft.setField("logoUrl", url)}
          />
        </div>
        <div className="actions">
          <Button variant="primary" onClick={() => setOpen(false)}>
            Done
          </Button>
        </div>
      </Dialog>
    </>
  );
}

const NO_UPLOADS_TEXTS = ["No uploaded files available", "Upload one below."] as const;

/** Pressing Enter on an image closes the dialog instead of submitting the form around it. */
function closeOnEnter(event: KeyboardEvent, onDone: () => void): void {
  const { target, key } = event;
  if (key !== "Enter" || !(target instanceof HTMLInputElement) || target.type !== "radio") return;
  event.preventDefault();
  onDone();
}
