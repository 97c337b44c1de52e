/** The form of one item of a list. */
import { Fragment, type ReactNode, useState } from "react";
import { DEFAULT_ARRANGEMENT, computePositionAfterLast } from "../../../schema/entities/entity.ts";
import { hasDisplayPeriod } from "../../../schema/entities/displayPeriod.ts";
import type { CreateUpdateLabels, SectionTab } from "../../../schema/entities/sectionTab.ts";
import { type DocumentKey, entities, type Entity, type Item } from "../../../schema/index.ts";
import { Button } from "../../ui/Button.tsx";
import { NEW_ITEM_ID } from "../data/drafts.ts";
import { type Draft, useDraft } from "../data/useDraft.ts";
import { Field, findFieldNames } from "./Field.tsx";
import { FieldRow, Fold } from "./Fold.tsx";
import type { FieldOverrides } from "./inputProps.ts";
import { DisplayPeriodFold } from "./DisplayPeriodFold.tsx";

/** `item` is an id or NEW_ITEM_ID. `initial` has a new item's values, such as those of a copied item. */
export interface EditedItem<K extends DocumentKey> {
  readonly item: string;
  readonly initial?: Partial<Item<K>>;
}

export interface RowsProps<K extends DocumentKey> {
  readonly items: readonly Item<K>[];
  readonly onEdit: (edited: EditedItem<K>) => void;
}

export interface ItemFormOptions<K extends DocumentKey> {
  /** Overrides declarations that depend on the item's values. */
  readonly overrideFields?: ((draft: Draft<K>) => ItemOverrides) | undefined;
  /** Returns a question about values that may be a mistake. Save shows it first, and saves when pressed again. */
  readonly findWarning?: ((values: Item<K>) => string | undefined) | undefined;
}

interface ItemFormProps<K extends DocumentKey> extends ItemFormOptions<K> {
  readonly entity: K;
  readonly item: string;
  readonly items: readonly object[];
  readonly initial?: Partial<Item<K>> | undefined;
  readonly onClose: () => void;
}

/** A new item is appended to the list. The form closes after saving or discarding. */
export function ItemForm<K extends DocumentKey>(props: ItemFormProps<K>) {
  const { entity, item, items, onClose, overrideFields, findWarning } = props;
  const declared: Entity = entities[entity];
  const { fieldsRequiredToSave = [], saveLabels, savingLabels } = declared.tab ?? {};
  const isNew = item === NEW_ITEM_ID;
  const initial = {
    order: computePositionAfterLast(DEFAULT_ARRANGEMENT, items),
    ...props.initial,
  } as Partial<Item<K>>;
  const draft = useDraft(entity, {
    item,
    onSaved: onClose,
    ...(isNew && { initial }),
  });
  const values = draft.values as Readonly<Record<string, unknown>>;
  return (
    <>
      <ItemFields draft={draft} fields={overrideFields?.(draft) ?? {}} />
      {hasDisplayPeriod(declared) && <DisplayPeriodFold draft={draft} />}
      <ItemActions
        draft={draft}
        onClose={onClose}
        disabled={fieldsRequiredToSave.some((name) => String(values[name] ?? "").trim() === "")}
        saveLabel={saveLabels && pickFormLabel(saveLabels, isNew)}
        savingLabel={savingLabels && pickFormLabel(savingLabels, isNew)}
        warning={findWarning?.(draft.values)}
      />
    </>
  );
}

export type ItemOverrides = Readonly<Record<string, ItemOverride>>;

interface ItemOverride extends FieldOverrides {
  readonly replacement?: ReactNode;
  /** The content below the field or its row. */
  readonly contentBelow?: ReactNode;
  readonly isHidden?: boolean;
}

interface ItemFieldsProps {
  readonly draft: Draft<any>;
  readonly fields: ItemOverrides;
}

/** Shows fields in the declared rows. Other fields get a row of their own, so that none can be forgotten. */
function ItemFields({ draft, fields }: ItemFieldsProps) {
  const { formRows = [], fold }: SectionTab = getEntity(draft).tab ?? {};
  const renderField = (name: string) => {
    const { replacement, contentBelow: _, isHidden, ...overrides } = fields[name] ?? {};
    if (isHidden) return null;
    return replacement ?? <Field key={name} draft={draft} name={name} {...overrides} />;
  };
  return (
    <div className="fields">
      {findFieldNames(draft).map((name) => {
        const row = formRows.find((names) => names.includes(name)) ?? [name];
        if (row[0] !== name || fold?.fields.includes(name)) return null;
        return (
          <Fragment key={name}>
            {row.length > 1 ? <FieldRow>{row.map(renderField)}</FieldRow> : renderField(name)}
            {row.map((each) => fields[each]?.contentBelow)}
          </Fragment>
        );
      })}
      {fold && (
        <Fold
          title={fold.title}
          note={summarizeFold(
            draft,
            fold.fields.filter((name) => !fields[name]?.isHidden),
          )}
          isOpen={fold.fields.some((name) => draft.errors[name] !== undefined)}
        >
          <div className="fields">{fold.fields.map(renderField)}</div>
        </Fold>
      )}
    </div>
  );
}

/** Returns a fold's summary: how many fields are set, or the labels if none is. Undefined for a single unset field. */
function summarizeFold(draft: Draft<any>, names: readonly string[]): string | undefined {
  const values = draft.values as Readonly<Record<string, unknown>>;
  const count = names.filter((name) => values[name]).length;
  if (count > 0) return `${count} set`;
  if (names.length === 1) return undefined;
  return names.map((name) => getEntity(draft).fields[name]?.label.toLowerCase()).join(", ");
}

const getEntity = (draft: Draft<any>): Entity => entities[draft.entityKey as keyof typeof entities];

export const pickFormLabel = ([createLabel, updateLabel]: CreateUpdateLabels, isNew: boolean) =>
  isNew ? createLabel : updateLabel;

function focusInvalidField(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}

interface ItemActionsProps {
  readonly draft: Draft<any>;
  readonly onClose: () => void;
  readonly saveLabel?: string | undefined;
  readonly savingLabel?: string | undefined;
  readonly disabled?: boolean;
  readonly warning?: string | undefined;
}

export function ItemActions(props: ItemActionsProps) {
  const { draft, onClose, saveLabel, savingLabel = "Saving...", disabled = false, warning } = props;
  const label = entities[draft.entityKey as keyof typeof entities].label.toLowerCase();
  const { isNew } = draft;
  const isUnchanged = !isNew && draft.dirtyFields.length === 0;
  const isSaving = draft.phase === "saving";
  const cancel = () => {
    draft.discard();
    onClose();
  };
  const errors = Object.values(draft.errors);
  const [shownWarning, setShownWarning] = useState<string>();
  const question = shownWarning === warning ? shownWarning : undefined;
  const submit = (form: HTMLFormElement | null) => {
    if (isUnchanged) return onClose();
    if (question === undefined && warning !== undefined) return setShownWarning(warning);
    void draft.save().then((isSaved) => isSaved || focusInvalidField(form));
  };
  // The reason isn't shown twice if a field already shows it.
  const isReasonShown = draft.reason !== "" && errors.length > 0 && !errors.includes(draft.reason);
  return (
    <div className="actions">
      {(isReasonShown || question) && (
        <p className="field-error full-width" role="alert">
          {isReasonShown ? draft.reason : question}
        </p>
      )}
      <Button variant="quiet" onClick={cancel} disabled={isSaving}>
        Cancel
      </Button>
      <Button
        variant="primary"
        type="submit"
        isPending={isSaving}
        disabled={disabled}
        onClick={({ currentTarget: { form } }) => submit(form)}
      >
        {isSaving ? savingLabel : (saveLabel ?? `${isNew ? "Add" : "Save"} ${label}`)}
      </Button>
    </div>
  );
}
