/** The form of one item of a list: its fields, Cancel and Save. */
import type { ComponentType } from "react";
import { BY_ORDER, placeAfterLast } from "../../../schema/entity.ts";
import { type DocumentKey, entities, type Entity, type Item } from "../../../schema/index.ts";
import { Button } from "../../ui/Button.tsx";
import { NEW } from "../data/drafts.ts";
import { type Draft, useDraft } from "../data/useDraft.ts";
import { EntityForm } from "./Field.tsx";
import { When } from "./When.tsx";

/** What a list's form says beyond the declaration of its entity; all of it may be left out. */
export interface ItemFormLook<K extends DocumentKey> {
  /** The fields and their sequence; every field by default. */
  readonly only?: readonly (keyof Item<K> & string)[];
  /** In place of the fields, where they need more than that. */
  readonly Fields?: ComponentType<{ draft: Draft<K> }>;
  /** What a save sends, where it is not every field. */
  readonly send?: readonly (keyof Item<K> & string)[];
  /** Those of them that are left out while they are empty and were so before. */
  readonly sendIfSet?: readonly (keyof Item<K> & string)[];
  /** Save is off until these hold something. */
  readonly needs?: readonly (keyof Item<K> & string)[];
  readonly save?: (isNew: boolean) => string;
  readonly saving?: (isNew: boolean) => string;
}

/** `item` is the id or NEW, `items` the list as it is. */
interface ItemFormProps<K extends DocumentKey> {
  readonly entity: K;
  readonly look: ItemFormLook<K>;
  readonly item: string;
  readonly items: readonly object[];
  /** What a new item begins with, besides its place. */
  readonly initial?: Partial<Item<K>> | undefined;
  readonly onClose: () => void;
}

/** A new item gets the place after the last. It closes when it is saved or given up. */
export function ItemForm<K extends DocumentKey>(props: ItemFormProps<K>) {
  const { entity, look, item, items, onClose } = props;
  const { only, Fields, send, sendIfSet, needs = [], save, saving } = look;
  const isNew = item === NEW;
  const initial = {
    order: placeAfterLast(BY_ORDER, items),
    ...props.initial,
  } as Partial<Item<K>>;
  const draft = useDraft(entity, {
    item,
    onSaved: onClose,
    ...(isNew && { initial }),
    ...(send && { send }),
    ...(sendIfSet && { sendIfSet }),
  });
  const values = draft.values as Readonly<Record<string, unknown>>;
  return (
    <>
      {Fields ? <Fields draft={draft} /> : <EntityForm draft={draft} {...(only && { only })} />}
      {(entities[entity] as Entity).window && <When draft={draft} />}
      <ItemActions
        draft={draft}
        onClose={onClose}
        disabled={needs.some((name) => String(values[name] ?? "").trim() === "")}
        {...(save && { save: save(isNew) })}
        {...(saving && { saving: saving(isNew) })}
      />
    </>
  );
}

/** The first field that was refused may be far from the button. */
function toWrongField(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}

/** `save` and `saving` are the words of the button, by default those of the declaration's label. */
interface ItemActionsProps {
  readonly draft: Draft<any>;
  readonly onClose: () => void;
  readonly save?: string;
  readonly saving?: string;
  readonly disabled?: boolean;
}

/** Cancel, which forgets what was typed, and Save; before them why it was refused, if a field of it was. */
export function ItemActions(props: ItemActionsProps) {
  const { draft, onClose, save, saving = "Saving...", disabled = false } = props;
  const label = entities[draft.key as keyof typeof entities].label.toLowerCase();
  const isNew = draft.id.endsWith(`/${NEW}`);
  // What is as it was stored has nothing to send; its form closes all the same.
  const unchanged = !isNew && draft.dirty.length === 0;
  const isSaving = draft.phase === "saving";
  const cancel = () => {
    draft.discard();
    onClose();
  };
  const wrong = Object.values(draft.errors);
  // Words that stand at a field already are not said again.
  const isRefused = draft.reason !== "" && wrong.length > 0 && !wrong.includes(draft.reason);
  return (
    <div className="item-actions">
      {isRefused && (
        <p className="field-error" role="alert">
          {draft.reason}
        </p>
      )}
      <Button variant="quiet" onClick={cancel} disabled={isSaving}>
        Cancel
      </Button>
      <Button
        variant="primary"
        type="submit"
        pending={isSaving}
        disabled={disabled}
        onClick={({ currentTarget: { form } }) =>
          unchanged ? onClose() : void draft.save().then((isSaved) => isSaved || toWrongField(form))
        }
      >
        {isSaving ? saving : (save ?? `${isNew ? "Add" : "Save"} ${label}`)}
      </Button>
    </div>
  );
}
