/** The Press tab (spec section 2): the features, the settings, the preview. */
import Image from "lucide-react/icons/image";
import Newspaper from "lucide-react/icons/newspaper";
import { type KeyboardEvent, useId, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { useEditedList } from "../data/editedValue.ts";
import { type Draft, useDraft } from "../data/useDraft.ts";
import { afterPress } from "../editor/afterPress.ts";
import { EntityForm } from "../editor/Field.tsx";
import { ImagePicker } from "../editor/ImagePicker.tsx";
import { type ItemFormProps, ItemList } from "../editor/ItemList.tsx";
import { ItemActions } from "../editor/SaveButton.tsx";
import { TabHead } from "../parts/Card.tsx";
import { FieldFrame } from "../parts/FieldFrame.tsx";
import { PictureOf } from "../parts/PictureOf.tsx";
import { Subtabs } from "../parts/Subtabs.tsx";
import { ListHistory, ListPreview, SectionSettings } from "./sectionTab.tsx";
import "./tabStyles.ts";

// The logo of a press feature: its path as text, and a button that opens the picker.

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

// The form of a press feature, in the list itself (spec section 2, "Press tab").

/** Shows the fields; Save is off until name and subtitle are there (spec section 5). */
export function FeatureForm({ item, count, onClose }: ItemFormProps) {
  const draft = useDraft("pressFeatures", { item, onSaved: onClose, initial: { order: count } });
  const { name, subtitle } = draft.values;
  return (
    <>
      <div className="fields">
        <EntityForm draft={draft} only={["name", "subtitle", "description"]} />
        <LogoField draft={draft} />
      </div>
      <ItemActions
        draft={draft}
        onClose={onClose}
        save="Save"
        disabled={name.trim() === "" || subtitle.trim() === ""}
      />
    </>
  );
}

/** Shows the three subtabs. */
export function PressTab() {
  return (
    <>
      <TabHead title="Press" note="Who has written and spoken of you." />
      <Subtabs
        label="Press"
        tabs={[
          { key: "features", label: "Features", panel: <Features /> },
          { key: "settings", label: "Settings", panel: <Settings /> },
          { key: "preview", label: "Preview", panel: <PressPreview /> },
        ]}
      />
    </>
  );
}

function Features() {
  return (
    <ItemList
      entity="pressFeatures"
      title="All features"
      what="press features"
      add="Add Feature"
      empty={{
        icon: Newspaper,
        title: "No press features yet",
        help: "Add a network, a magazine or a show that featured you.",
      }}
      nameOf={({ name }) => name}
      confirmDelete="Are you sure you want to delete this press feature?"
      Form={FeatureForm}
      actions={<ListHistory entity="pressFeatures" settings="pressSettings" section="press" />}
    >
      {({ logoUrl, name, subtitle }) => (
        <>
          {logoUrl && <PictureOf url={logoUrl} className="row-logo" />}
          <span className="row-words">
            <strong>{name}</strong>
            <span className="quiet">{subtitle}</span>
          </span>
        </>
      )}
    </ItemList>
  );
}

function Settings() {
  const { items } = useEditedList("pressFeatures");
  return (
    <SectionSettings
      entity="pressSettings"
      section="press"
      content={{ pressFeatures: [...items] }}
    />
  );
}

/** Two columns on a phone, six on a computer: those of the page (spec section 2). */
function PressPreview() {
  return (
    <ListPreview
      section="press"
      entity="pressFeatures"
      settings="pressSettings"
      empty="Add a feature and it shows here."
    />
  );
}
