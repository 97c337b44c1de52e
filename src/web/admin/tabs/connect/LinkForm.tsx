/** The form of a connect link, in its dialog (spec sections 2 and 5). */
import { useId } from "react";
import type { Item } from "../../../../schema/index.ts";
import { platformOf, PLATFORMS } from "../../../../schema/platforms.ts";
import { type Draft, useDraft } from "../../drafts/useDraft.ts";
import { Field } from "../../editor/Field.tsx";
import { ItemActions } from "../../editor/ItemActions.tsx";
import type { ItemFormProps } from "../../editor/ItemList.tsx";
import { FieldFrame } from "../../parts/FieldFrame.tsx";

/** Shows platform, address and words. */
export function LinkForm({ item, count, onClose }: ItemFormProps) {
  const draft = useDraft("connectLinks", {
    item,
    onSaved: onClose,
    initial: { order: count },
    toBody,
  });
  const { label, example } = platformOf(draft.values.platform);
  return (
    <>
      <div className="fields">
        <PlatformField draft={draft} />
        <Field draft={draft} name="url" placeholder={example} />
        <Field draft={draft} name="displayText" placeholder={label} />
      </div>
      <ItemActions draft={draft} onClose={onClose} save="Save" />
    </>
  );
}

/** Choosing a platform fills in its name and an example of its address (spec section 5). */
function PlatformField({ draft }: { draft: Draft<"connectLinks"> }) {
  const id = useId();
  const { platform } = draft.values;
  const known = PLATFORMS.some(({ value }) => value === platform);
  const choose = (value: string) => {
    const { label, example } = platformOf(value);
    draft.set("platform", value);
    draft.set("displayText", label);
    draft.set("url", example);
  };
  return (
    <FieldFrame id={id} label="Platform">
      <select id={id} value={platform} onChange={({ target }) => choose(target.value)}>
        {!known && <option value={platform}>{platform}</option>}
        {PLATFORMS.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

/** The whole link, as spec section 7 lists it. */
function toBody({ id, platform, url, displayText, order, isActive }: Item<"connectLinks">) {
  return { id, platform, url, displayText, order, isActive };
}
